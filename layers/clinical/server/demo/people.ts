import type { PatientRequest, ProfessionalRequest } from '../../shared/contract.ts'

/** Invented people. Addresses are in reserved domains, and numbers in ranges reserved for fiction. */
export const PROFESSIONALS: ProfessionalRequest[] = [
  { name: 'Dra. Inés Castaño Múgica', license_number: '28012345', color: '#0f766e', active: true },
  { name: 'Dr. Mateo Rincón Peña', license_number: '28067890', color: '#7c3aed', active: true }
]

export const PATIENTS: PatientRequest[] = [
  {
    first_name: 'Núria',
    last_name: 'Puig i Ferrer',
    email: 'nuria.puig@example.org',
    phone: '+34 600 000 101',
    date_of_birth: '1984-03-12',
    locale: 'es',
    notes: 'Prefiere citas por la mañana.'
  },
  {
    first_name: 'José Ángel',
    last_name: 'Muñoz Ibáñez',
    email: 'ja.munoz@example.org',
    phone: '+34 600 000 102',
    date_of_birth: '1971-11-02',
    locale: 'es'
  },
  {
    first_name: 'Lucía',
    last_name: 'Fernández Álvarez',
    email: 'lucia.fernandez@example.org',
    phone: '+34 600 000 103',
    date_of_birth: '1996-07-25',
    locale: 'es'
  },
  {
    first_name: 'Begoña',
    last_name: 'Ñíguez López',
    email: 'begona.niguez@example.org',
    phone: '+34 600 000 104',
    date_of_birth: '1958-01-30',
    locale: 'es',
    notes: 'Alergia a la penicilina.'
  },
  {
    first_name: 'Iker',
    last_name: 'Etxeberria Goñi',
    email: 'iker.etxeberria@example.org',
    phone: '+34 600 000 105',
    date_of_birth: '2001-09-14',
    locale: 'es'
  },
  {
    first_name: 'Siobhán',
    last_name: 'O’Brien',
    email: 'siobhan.obrien@example.com',
    phone: '+44 7700 900106',
    date_of_birth: '1989-05-17',
    locale: 'en'
  },
  {
    first_name: 'James',
    last_name: 'Whitaker-Jones',
    email: 'james.whitaker@example.com',
    phone: '+44 7700 900107',
    date_of_birth: '1963-12-08',
    locale: 'en',
    notes: 'Lives abroad from June to August.'
  },
  {
    first_name: 'Zoé',
    last_name: 'Lefèvre-Bœuf',
    email: 'zoe.lefevre@example.net',
    phone: '+33 6 39 98 01 08',
    date_of_birth: '1992-02-29',
    locale: 'fr'
  },
  {
    first_name: 'Jürgen',
    last_name: 'Großkreuz',
    email: 'juergen.grosskreuz@example.net',
    phone: '+49 171 0000109',
    date_of_birth: '1979-08-21',
    locale: 'de'
  },
  {
    first_name: 'João',
    last_name: 'Conceição Araújo',
    email: 'joao.conceicao@example.net',
    phone: '+351 910 000 110',
    date_of_birth: '1986-10-05',
    locale: 'pt'
  },
  {
    first_name: 'Leïla',
    last_name: 'Haddad',
    email: 'leila.haddad@example.net',
    phone: '+34 600 000 111',
    date_of_birth: '1994-04-03',
    locale: 'ar'
  },
  {
    first_name: 'Martín',
    last_name: 'Güell Ybarra',
    email: null,
    phone: '+34 600 000 112',
    date_of_birth: '2015-06-19',
    locale: 'es',
    notes: 'Menor de edad; firma su madre, Carla Ybarra.'
  }
]
