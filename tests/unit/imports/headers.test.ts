import { describe, expect, test } from 'vitest'
import { columns as patients } from '../../../layers/clinical/server/services/import/columns.ts'
import * as patientHeaders from '../../../layers/clinical/server/services/import/patient-headers.ts'
import { columns as treatments } from '../../../layers/catalog/server/services/import/columns.ts'
import * as treatmentHeaders from '../../../layers/catalog/server/services/import/treatment-headers.ts'
import { guessPlaces, toMapping } from '../../../server/core/imports/file/columns.ts'

const guess = (line: string, fields = patients) => {
  const headers = line.split(';')
  return toMapping(guessPlaces(headers, fields), headers)
}

describe('the columns of patients are guessed from headers', () => {
  test.each<[string, string, Record<string, string | string[]>]>([
    ['Gesden', 'NumPac;Apellidos;Nombre;NIF;FecNacim;TelMovil;Tel1;Email;Direccion;CP;Poblacion;Provincia;Notas', {
      external_id: 'NumPac', last_name: 'Apellidos', first_name: 'Nombre', tax_number: 'NIF', date_of_birth: 'FecNacim',
      phone: ['TelMovil', 'Tel1'], email: 'Email', address: ['Direccion', 'CP', 'Poblacion', 'Provincia'], notes: 'Notas'
    }],
    ['Clinic Cloud', 'Nº Historia;Nombre;Primer apellido;Segundo apellido;DNI;F. Nacim.;Móvil;Correo electrónico', {
      external_id: 'Nº Historia', first_name: 'Nombre', last_name: ['Primer apellido', 'Segundo apellido'],
      tax_number: 'DNI', date_of_birth: 'F. Nacim.', phone: 'Móvil', email: 'Correo electrónico'
    }],
    ['Julie', 'N° dossier;Nom;Prénom;Né(e) le;Tél. portable;Tél. domicile;E-mail;Adresse;Code postal;Ville', {
      external_id: 'N° dossier', last_name: 'Nom', first_name: 'Prénom', date_of_birth: 'Né(e) le',
      phone: ['Tél. portable', 'Tél. domicile'], email: 'E-mail', address: ['Adresse', 'Code postal', 'Ville']
    }],
    ['Logos', 'Nom patient;Prénom patient;Date naiss.;GSM;Courriel', {
      last_name: 'Nom patient', first_name: 'Prénom patient', date_of_birth: 'Date naiss.', phone: 'GSM', email: 'Courriel'
    }],
    ['Dampsoft', 'PATNR;NAME;VORNAME;GEBDAT;STRASSE;PLZ;ORT;TEL_PRIVAT;TEL_MOBIL;EMAIL', {
      external_id: 'PATNR', last_name: 'NAME', first_name: 'VORNAME', date_of_birth: 'GEBDAT',
      address: ['STRASSE', 'PLZ', 'ORT'], phone: ['TEL_MOBIL', 'TEL_PRIVAT'], email: 'EMAIL'
    }],
    ['Charly', 'Patienten-Nr.;Nachname;Vorname;Geb.-Datum;Handy;E-Mail-Adresse;Bemerkungen', {
      external_id: 'Patienten-Nr.', last_name: 'Nachname', first_name: 'Vorname', date_of_birth: 'Geb.-Datum',
      phone: 'Handy', email: 'E-Mail-Adresse', notes: 'Bemerkungen'
    }],
    ['Z1', 'Patient;geb. am;Telefon', { full_name: 'Patient', date_of_birth: 'geb. am', phone: 'Telefon' }],
    ['Newsoft', 'N.º Utente;Nome;Data Nasc.;Telemóvel;NIF;Morada;Cód. Postal;Localidade', {
      external_id: 'N.º Utente', full_name: 'Nome', date_of_birth: 'Data Nasc.', phone: 'Telemóvel', tax_number: 'NIF',
      address: ['Morada', 'Cód. Postal', 'Localidade']
    }],
    ['OrisDent', 'Codice;Cognome;Nome;Data di nascita;Codice fiscale;Cellulare;Indirizzo;CAP;Città', {
      external_id: 'Codice', last_name: 'Cognome', first_name: 'Nome', date_of_birth: 'Data di nascita',
      tax_number: 'Codice fiscale', phone: 'Cellulare', address: ['Indirizzo', 'CAP', 'Città']
    }],
    ['Open Dental', 'PatNum;LName;FName;Birthdate;HmPhone;WirelessPhone;Email;Address;City;State;Zip', {
      external_id: 'PatNum', last_name: 'LName', first_name: 'FName', date_of_birth: 'Birthdate',
      phone: ['WirelessPhone', 'HmPhone'], email: 'Email', address: ['Address', 'Zip', 'City', 'State']
    }],
    ['Dentrix', 'Chart #;Last Name;First Name;Birth Date;Mobile Phone;Home Phone', {
      last_name: 'Last Name', first_name: 'First Name', date_of_birth: 'Birth Date',
      phone: ['Mobile Phone', 'Home Phone'], external_id: 'Chart #'
    }],
    ['Exact', 'Patient ID;Surname;Forename;D.O.B.;Mobile;Postcode', {
      external_id: 'Patient ID', last_name: 'Surname', first_name: 'Forename', date_of_birth: 'D.O.B.', phone: 'Mobile',
      address: 'Postcode'
    }],
    ['a hand-made sheet', 'Paciente;F.N.;Fec. Nac.;Teléfono;Teléfono (2)', {
      full_name: 'Paciente', date_of_birth: 'F.N.', phone: ['Teléfono', 'Teléfono (2)']
    }],
    ['an Arabic sheet', 'رقم الملف;الاسم;اسم العائلة;تاريخ الميلاد;الجوال;العنوان', {
      external_id: 'رقم الملف', first_name: 'الاسم', last_name: 'اسم العائلة', date_of_birth: 'تاريخ الميلاد',
      phone: 'الجوال', address: 'العنوان'
    }]
  ])('as in %s', (_, line, expected) => expect(guess(line)).toEqual(expected))

  test('with “Name” as the whole name if there is no first name, and “Nombre” if there is no last name', () => {
    for (const header of ['Name', 'Nombre', 'Nom', 'Nome', 'الاسم']) expect(guess(header)).toEqual({ full_name: header })
    expect(guess('Vorname')).toEqual({ first_name: 'Vorname' })
    expect(guess('Apellidos')).toEqual({ last_name: 'Apellidos' })
  })
})

describe('the columns of treatments are guessed from headers', () => {
  test('with the description as the name if there is no name', () => {
    expect(guess('Código;Descripción;Precio;IVA', treatments))
      .toEqual({ code: 'Código', name: 'Descripción', unit_price: 'Precio', vat: 'IVA' })
    expect(guess('Código;Nombre;Descripción', treatments))
      .toEqual({ code: 'Código', name: 'Nombre', description: 'Descripción' })
    expect(guess('code;name_es;description', treatments))
      .toEqual({ code: 'code', name_es: 'name_es', description: 'description' })
  })

  test.each([
    ['Gebührennummer;Leistungstext;Preis;MwSt.', { code: 'Gebührennummer', name: 'Leistungstext', unit_price: 'Preis', vat: 'MwSt.' }],
    ['Code CCAM;Libellé;Tarif;Famille', { code: 'Code CCAM', name: 'Libellé', unit_price: 'Tarif', category: 'Famille' }],
    ['Codice;Prestazione;Prezzo;Aliquota IVA', { code: 'Codice', name: 'Prestazione', unit_price: 'Prezzo', vat: 'Aliquota IVA' }],
    ['ProcCode;Descript;Fee', { code: 'ProcCode', name: 'Descript', unit_price: 'Fee' }]
  ])('as in %s', (line, expected) => expect(guess(line, treatments)).toEqual(expected))
})

describe('the table of headers', () => {
  const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'it', 'ar']
  const tables = Object.entries({ ...patientHeaders, ...treatmentHeaders })
    .flatMap(([name, table]) => typeof table === 'object' && !Array.isArray(table) ? [[name, table] as const] : [])

  test.each(tables)('for %s has every language', (_, table) => {
    expect(Object.keys(table).sort()).toEqual([...LANGUAGES].sort())
  })

  test('lets every header be guessed as its field, in any case', () => {
    for (const fields of [patients, treatments]) {
      for (const { name, headers, parts = [] } of fields) {
        for (const header of [...headers, ...parts.flat()])
          expect(Object.keys(guess(header.toUpperCase(), fields)), `${name}: ${header}`).toHaveLength(1)
      }
    }
  })

  test('has at least nine headers for each field', () => {
    const sizes = Object.fromEntries([...patients, ...treatments.filter(({ name }) => !name.includes('_'))]
      .map(({ name, headers, parts = [] }) => [name, headers.length + parts.flat().length]))
    for (const [name, size] of Object.entries(sizes)) expect(size, name).toBeGreaterThanOrEqual(9)
  })
})
