import type { ImportColumn } from '@svc/kit'

/** How files of other programs call the fields, in English, Spanish, French, German, Portuguese and Arabic. */
export const columns: ImportColumn[] = [
  {
    name: 'external_id',
    headers: [
      'id', 'number', 'no', 'patient id', 'patient number', 'patient no', 'chart number', 'record number',
      'reference', 'patient ref', 'chart no', 'chart id',
      'número', 'núm', 'nº', 'código', 'nº paciente', 'id paciente', 'número de paciente', 'nº de paciente',
      'nº historia',
      'número de historia', 'historia clínica', 'nhc', 'número de cliente', 'nº cliente', 'id cliente', 'referencia',
      'numéro', 'id patient', 'numéro patient', 'numéro de patient', 'n° patient', 'numéro de dossier',
      'n° dossier', 'n° de patient', 'n° de dossier', 'numéro client', 'référence',
      'nummer', 'nr', 'patienten id', 'patientennummer', 'patienten nr', 'patientennr', 'patnr', 'pat nr', 'pat id',
      'kundennummer', 'kunden nr', 'aktenzeichen', 'kartei nr', 'karteinummer',
      'id do paciente', 'número do paciente', 'n.º de paciente', 'número do utente', 'n.º de utente',
      'número do processo', 'n.º do processo', 'n.º utente', 'n.º processo', 'referência',
      'الرقم', 'رقم المريض', 'معرف المريض', 'رقم الملف', 'المعرف'
    ]
  },
  {
    name: 'first_name',
    headers: [
      'first name', 'forename', 'given name', 'nombre', 'nombre de pila', 'prénom', 'prenom', 'vorname', 'rufname',
      'nome', 'primeiro nome', 'nome próprio', 'الاسم', 'الاسم الأول', 'الاسم الشخصي'
    ]
  },
  {
    name: 'last_name',
    headers: [
      'last name', 'surname', 'family name', 'apellido', 'apellidos', 'nom', 'nom de famille', 'name', 'nachname',
      'familienname', 'zuname', 'apelido', 'apelidos', 'sobrenome', 'último nome', 'اللقب', 'اسم العائلة',
      'الكنية', 'الاسم الأخير'
    ]
  },
  {
    name: 'email',
    headers: [
      'email', 'e mail', 'mail', 'email address', 'e mail address', 'correo', 'correo electrónico',
      'dirección de correo',
      'courriel', 'adresse e mail', 'adresse email', 'adresse électronique', 'e mail adresse', 'email adresse',
      'mailadresse',
      'correio eletrónico', 'correio eletrônico', 'endereço de email', 'endereço de e mail', 'البريد',
      'البريد الإلكتروني', 'بريد إلكتروني'
    ]
  },
  {
    name: 'phone',
    headers: [
      'phone', 'phone number', 'telephone', 'telephone number', 'mobile', 'mobile phone', 'cell', 'cell phone', 'tel',
      'teléfono', 'móvil', 'celular', 'teléfono móvil', 'número de teléfono', 'téléphone', 'portable',
      'mobile', 'numéro de téléphone',
      'telefon', 'telefonnummer', 'handy', 'handynummer', 'mobil', 'mobiltelefon', 'mobilnummer', 'rufnummer',
      'telefone', 'telemóvel', 'número de telefone', 'número de telemóvel', 'الهاتف', 'رقم الهاتف', 'الجوال',
      'رقم الجوال', 'المحمول', 'هاتف'
    ]
  },
  {
    name: 'date_of_birth',
    headers: [
      'date of birth', 'birth date', 'birthdate', 'birthday', 'dob', 'born', 'fecha de nacimiento',
      'fecha nacimiento', 'nacimiento', 'f nacimiento',
      'date de naissance', 'né le', 'née le', 'né e le', 'naissance', 'geburtsdatum', 'geburtstag', 'geboren',
      'geb datum', 'geb',
      'data de nascimento', 'data nascimento', 'nascimento', 'تاريخ الميلاد', 'الميلاد', 'تاريخ الولادة'
    ]
  },
  {
    name: 'locale',
    headers: ['language', 'locale', 'idioma', 'lengua', 'langue', 'sprache', 'língua', 'اللغة', 'لغة']
  },
  {
    name: 'notes',
    headers: [
      'notes', 'note', 'comments', 'comment', 'remarks', 'notas', 'nota', 'observaciones', 'comentarios',
      'remarques', 'remarque',
      'commentaire', 'commentaires', 'notizen', 'notiz', 'bemerkung', 'bemerkungen', 'anmerkung', 'anmerkungen',
      'observações', 'comentários', 'ملاحظات', 'ملاحظة', 'تعليقات'
    ]
  }
]
