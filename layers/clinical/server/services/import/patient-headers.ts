/**
 * The names of a patient's fields in files of other programs, by language: Gesden, Clinic Cloud, Julie, Logos,
 * Dampsoft, Charly, Evident, Z1, Newsoft, Imaginasoft, OrisDent, XDENT, Dentrix, Open Dental, Exact, and spreadsheets
 * made by hand. Case, accents, blanks and punctuation don’t matter: `F. Nacim.` is `fnacim`.
 */
export type Headers = Partial<Record<'en' | 'es' | 'fr' | 'de' | 'pt' | 'it' | 'ar', readonly string[]>>

export const EXTERNAL_ID: Headers = {
  en: [
    'id', 'number', 'no', 'patient id', 'patient number', 'patient no', 'patid', 'patnum', 'patno', 'pat num',
    'chart', 'chart number', 'chart no', 'chart id', 'chartnum', 'record number', 'reference', 'patient ref', 'file number'
  ],
  es: [
    'número', 'núm', 'nº', 'n', 'código', 'cod', 'cód paciente', 'código paciente', 'código de paciente', 'codpac',
    'nº paciente', 'núm paciente', 'num pac', 'nº pac', 'id paciente', 'idpac', 'número de paciente', 'nº de paciente',
    'nº historia', 'núm historia', 'num historia', 'nº hª', 'nº hc', 'historia', 'número de historia', 'historia clínica',
    'nhc', 'nº historia clínica', 'número de cliente', 'nº cliente', 'id cliente', 'nº ficha', 'número ficha', 'ficha',
    'nº expediente', 'expediente', 'referencia', 'ref'
  ],
  fr: [
    'numéro', 'id patient', 'numéro patient', 'numéro de patient', 'n° patient', 'num patient', 'code patient',
    'numéro de dossier', 'n° dossier', 'num dossier', 'n° de patient', 'n° de dossier', 'numéro client', 'référence',
    'dossier', 'n° fiche', 'ipp'
  ],
  de: [
    'nummer', 'nr', 'patienten id', 'patientennummer', 'patienten nr', 'patientennr', 'patnr', 'pat nr', 'pat id',
    'patient nr', 'pat nummer', 'patnummer', 'kundennummer', 'kunden nr', 'aktenzeichen', 'kartei nr', 'karteinr',
    'karteinummer', 'pid'
  ],
  pt: [
    'id do paciente', 'número do paciente', 'n.º de paciente', 'n.º paciente', 'número do utente', 'n.º de utente',
    'n.º do utente', 'número do processo', 'n.º do processo', 'n.º utente', 'n.º processo', 'processo',
    'nº ficha', 'número de ficha', 'código do paciente', 'código do utente', 'referência'
  ],
  it: [
    'numero', 'codice', 'cod', 'codice paziente', 'cod paziente', 'id paziente', 'n paziente', 'numero paziente',
    'numero cartella', 'n cartella', 'cartella', 'numero scheda', 'riferimento'
  ],
  ar: ['الرقم', 'رقم المريض', 'معرف المريض', 'رقم الملف', 'رقم ملف المريض', 'المعرف']
}

export const FIRST_NAME: Headers = {
  en: ['first name', 'fname', 'firstname', 'first', 'forename', 'forenames', 'given name', 'given names', 'christian name'],
  es: ['nombre', 'nombre de pila', 'nombre paciente', 'nombre del paciente', 'nombres', 'pac nombre'],
  fr: ['prénom', 'prénoms', 'prénom patient', 'prénom du patient', 'prénom usuel'],
  de: ['vorname', 'vornamen', 'rufname', 'vname', 'pat vorname', 'patient vorname'],
  pt: ['nome', 'primeiro nome', 'nome próprio', 'nomes próprios', 'nome do paciente', 'nome do utente'],
  it: ['nome', 'nome paziente', 'nome del paziente', 'nome di battesimo'],
  ar: ['الاسم', 'الاسم الأول', 'الاسم الشخصي', 'اسم المريض']
}

export const LAST_NAME: Headers = {
  en: ['last name', 'lname', 'lastname', 'last', 'surname', 'family name'],
  es: ['apellido', 'apellidos', 'apellidos paciente', 'apellidos del paciente', 'ape', 'apell', 'pac apellidos'],
  fr: [
    'nom', 'nom de famille', 'nom patient', 'nom du patient', 'nom usuel', 'nom d’usage', 'nom d usage', 'nom de naissance'
  ],
  de: ['name', 'nachname', 'familienname', 'zuname', 'nname', 'pat name', 'pat nachname', 'patient nachname'],
  pt: ['apelido', 'apelidos', 'sobrenome', 'sobrenomes', 'último nome', 'apelido do paciente', 'nome de família'],
  it: ['cognome', 'cognomi', 'cognome paziente', 'cognome del paziente'],
  ar: ['اللقب', 'اسم العائلة', 'الكنية', 'الاسم الأخير', 'لقب المريض']
}
/** In files with one column for each. */
export const SURNAMES: readonly Headers[] = [
  {
    es: ['primer apellido', '1er apellido', '1º apellido', 'apellido 1', 'apellido1', 'ape1', 'apellido paterno', 'paterno'],
    pt: ['primeiro apelido', 'apelido 1']
  },
  {
    es: ['segundo apellido', '2º apellido', '2do apellido', 'apellido 2', 'apellido2', 'ape2', 'apellido materno', 'materno'],
    pt: ['segundo apelido', 'apelido 2']
  }
]

export const FULL_NAME: Headers = {
  en: ['full name', 'patient name', 'name of patient', 'pat name', 'complete name', 'name last first', 'last name first name'],
  es: [
    'paciente', 'nombre completo', 'nombre y apellidos', 'apellidos y nombre', 'apellidos, nombre', 'nombre apellidos',
    'nombre paciente completo', 'cliente', 'contacto'
  ],
  fr: ['patient', 'nom complet', 'nom et prénom', 'nom prénom', 'prénom nom', 'prénom et nom', 'nom et prénoms'],
  de: [
    'patient', 'patient in', 'patientenname', 'vollständiger name', 'name vorname', 'vorname name', 'nachname vorname',
    'name des patienten', 'patientin'
  ],
  pt: ['paciente', 'nome completo', 'nome e apelido', 'apelido e nome', 'utente'],
  it: ['paziente', 'nome completo', 'nome e cognome', 'cognome e nome', 'cognome nome', 'nominativo'],
  ar: ['الاسم الكامل', 'المريض', 'اسم المريض الكامل']
}
/** A single column for the whole name, unless another column has the rest. */
export const ONLY_NAME = ['name', 'nombre', 'nom', 'nome', 'الاسم', 'اسم المريض', 'nombre paciente', 'nom patient']

export const EMAIL: Headers = {
  en: ['email', 'e mail', 'mail', 'email address', 'e mail address', 'email 1', 'email home', 'patient email'],
  es: [
    'correo', 'correo electrónico', 'correo e', 'correo elec', 'dirección de correo', 'dirección de correo electrónico',
    'e correo', 'email paciente'
  ],
  fr: ['courriel', 'adresse e mail', 'adresse email', 'adresse mail', 'adresse électronique', 'mél', 'email patient'],
  de: ['e mail adresse', 'email adresse', 'mailadresse', 'e mail privat', 'mail privat', 'pat email'],
  pt: [
    'correio eletrónico', 'correio eletrônico', 'correio electrónico', 'endereço de email', 'endereço de e mail',
    'endereço eletrónico'
  ],
  it: ['posta elettronica', 'indirizzo email', 'indirizzo e mail', 'email paziente', 'indirizzo di posta elettronica'],
  ar: ['البريد', 'البريد الإلكتروني', 'بريد إلكتروني', 'الإيميل']
}

/** Mobile numbers first, because they can receive messages. */
export const MOBILE: Headers = {
  en: ['mobile', 'mobile phone', 'mobile number', 'mobile no', 'cell', 'cell phone', 'wireless phone', 'cellphone'],
  es: ['móvil', 'celular', 'tel móvil', 'teléfono móvil', 'tlf móvil', 'tfno móvil', 'telmovil', 'movil1', 'móvil 1'],
  fr: ['portable', 'mobile', 'tél portable', 'téléphone portable', 'tél mobile', 'téléphone mobile', 'gsm', 'num portable'],
  de: ['handy', 'handynummer', 'mobil', 'mobiltelefon', 'mobilnummer', 'tel mobil', 'telefon mobil', 'handynr', 'mobil nr'],
  pt: ['telemóvel', 'tlm', 'telem', 'celular', 'número de telemóvel', 'n.º telemóvel', 'telemóvel 1'],
  it: ['cellulare', 'cell', 'telefono cellulare', 'tel cellulare', 'numero cellulare', 'telefono mobile'],
  ar: ['الجوال', 'رقم الجوال', 'المحمول', 'الهاتف المحمول', 'رقم الموبايل', 'موبايل']
}
export const PHONE: Headers = {
  en: ['phone', 'phone number', 'telephone', 'telephone number', 'tel', 'phone 1', 'contact number', 'phone no'],
  es: ['teléfono', 'tlf', 'tfno', 'tlfno', 'telf', 'teléfono 1', 'teléfonos', 'número de teléfono', 'tel 1', 'tel contacto'],
  fr: ['téléphone', 'tél', 'numéro de téléphone', 'tél 1', 'téléphone 1', 'n° de téléphone'],
  de: ['telefon', 'telefonnummer', 'rufnummer', 'telefonnr', 'telefon 1', 'fon', 'tel nr'],
  pt: ['telefone', 'número de telefone', 'telefone 1', 'telef', 'contacto telefónico', 'n.º telefone'],
  it: ['telefono', 'numero di telefono', 'telefono 1', 'recapito telefonico', 'recapito'],
  ar: ['الهاتف', 'رقم الهاتف', 'هاتف', 'رقم التليفون']
}
export const OTHER_PHONE: Headers = {
  en: [
    'home phone', 'home tel', 'hmphone', 'hm phone', 'phone home', 'work phone', 'wkphone', 'wk phone', 'phone 2',
    'daytime phone', 'telephone 2'
  ],
  es: [
    'tel fijo', 'teléfono fijo', 'fijo', 'teléfono 2', 'tel 2', 'tel casa', 'teléfono casa', 'teléfono particular',
    'tel particular', 'teléfono trabajo', 'tel trabajo', 'otro teléfono', 'telefono2'
  ],
  fr: ['tél fixe', 'téléphone fixe', 'fixe', 'tél domicile', 'téléphone domicile', 'tél 2', 'téléphone 2', 'tél bureau'],
  de: ['telefon privat', 'tel privat', 'festnetz', 'telefon 2', 'telefon geschäftlich', 'tel dienst', 'telefon dienst'],
  pt: ['telefone fixo', 'telefone 2', 'telefone casa', 'telefone de casa', 'telefone trabalho'],
  it: ['telefono fisso', 'fisso', 'telefono casa', 'telefono abitazione', 'telefono 2', 'telefono ufficio'],
  ar: ['هاتف المنزل', 'هاتف العمل', 'هاتف آخر']
}

export const DATE_OF_BIRTH: Headers = {
  en: ['date of birth', 'birth date', 'birthdate', 'birthday', 'dob', 'd o b', 'born', 'patient dob', 'birth'],
  es: [
    'fecha de nacimiento', 'fecha nacimiento', 'fecha nac', 'fec nacimiento', 'fec nacim', 'fecha nacim', 'f nacim',
    'f nacimiento', 'f nac', 'fec nac', 'fn', 'f d n', 'fnac', 'nacimiento', 'nacido el', 'fecha de nac'
  ],
  fr: ['date de naissance', 'date naissance', 'né le', 'née le', 'né e le', 'naissance', 'date naiss', 'ddn', 'dt naissance'],
  de: ['geburtsdatum', 'geburtstag', 'geboren', 'geboren am', 'geb datum', 'gebdat', 'geb dat', 'geb am', 'geb', 'gebdatum'],
  pt: [
    'data de nascimento', 'data nascimento', 'data nasc', 'dt nasc', 'dt nascimento', 'data de nasc', 'nascimento', 'd nasc',
    'nascido em'
  ],
  it: ['data di nascita', 'data nascita', 'nascita', 'nato il', 'nata il', 'nato a il', 'dt nascita', 'data nasc'],
  ar: ['تاريخ الميلاد', 'الميلاد', 'تاريخ الولادة', 'الولادة']
}

export const LANGUAGE: Headers = {
  en: ['language', 'locale', 'preferred language'],
  es: ['idioma', 'lengua'],
  fr: ['langue'],
  de: ['sprache'],
  pt: ['língua', 'idioma'],
  it: ['lingua'],
  ar: ['اللغة', 'لغة']
}

export const NOTES: Headers = {
  en: ['notes', 'note', 'comments', 'comment', 'remarks', 'patient notes', 'patnote', 'memo'],
  es: ['notas', 'nota', 'observaciones', 'obs', 'observ', 'comentarios', 'comentario', 'anotaciones'],
  fr: ['remarques', 'remarque', 'commentaire', 'commentaires', 'observations', 'notes patient'],
  de: ['notizen', 'notiz', 'bemerkung', 'bemerkungen', 'anmerkung', 'anmerkungen', 'hinweis', 'info'],
  pt: ['observações', 'notas', 'comentários', 'anotações'],
  it: ['note', 'annotazioni', 'osservazioni', 'commenti'],
  ar: ['ملاحظات', 'ملاحظة', 'تعليقات']
}

export const TAX_NUMBER: Headers = {
  en: ['tax number', 'tax id', 'tax no', 'vat number', 'national id'],
  es: ['nif', 'dni', 'nie', 'cif', 'dni nif', 'nif dni', 'nif cif', 'nif nie', 'dni nie', 'documento', 'doc identidad', 'nº documento'],
  fr: ['numéro fiscal', 'n° fiscal', 'numéro de tva', 'n° tva', 'siret'],
  de: ['steuernummer', 'steuer id', 'steuer nr', 'steuer identifikationsnummer', 'ust id', 'ust idnr'],
  pt: ['nif', 'contribuinte', 'n.º contribuinte', 'n.º de contribuinte', 'número de contribuinte', 'nº contrib', 'cpf'],
  it: ['codice fiscale', 'cod fiscale', 'cod fisc', 'cf', 'partita iva', 'p iva', 'c f'],
  ar: ['الرقم الضريبي', 'رقم الهوية', 'الهوية']
}

/** The parts of an address, in the order in which they are written. */
export const ADDRESS: readonly Headers[] = [
  {
    en: ['address', 'home address', 'street', 'street address', 'address line 1', 'address 1', 'addr1', 'address1'],
    es: ['dirección', 'domicilio', 'dir', 'direc', 'calle', 'dirección postal', 'dirección 1', 'domicilio particular'],
    fr: ['adresse', 'rue', 'adresse 1', 'adresse postale', 'adresse ligne 1', 'adr'],
    de: ['straße', 'strasse', 'str', 'anschrift', 'adresse', 'straße hausnummer', 'straße und hausnummer', 'straße nr'],
    pt: ['morada', 'endereço', 'rua', 'morada 1', 'logradouro'],
    it: ['indirizzo', 'via', 'residenza', 'indirizzo di residenza', 'indirizzo residenza'],
    ar: ['العنوان', 'عنوان', 'الشارع']
  },
  {
    en: ['address line 2', 'address 2', 'addr2', 'address2'],
    es: ['dirección 2', 'piso', 'resto dirección'],
    fr: ['adresse 2', 'complément d adresse', 'complément adresse', 'adresse ligne 2'],
    de: ['hausnummer', 'haus nr', 'hausnr', 'adresszusatz'],
    pt: ['morada 2', 'complemento'],
    it: ['numero civico', 'civico', 'n civico'],
    ar: []
  },
  {
    en: ['zip', 'zip code', 'zipcode', 'postcode', 'post code', 'postal code'],
    es: ['cp', 'c p', 'código postal', 'cód postal', 'cod postal', 'codpostal', 'cpostal', 'd p'],
    fr: ['code postal', 'cp', 'cpostal'],
    de: ['plz', 'postleitzahl'],
    pt: ['código postal', 'cód postal', 'cp', 'cep'],
    it: ['cap', 'codice postale'],
    ar: ['الرمز البريدي']
  },
  {
    en: ['city', 'town', 'suburb'],
    es: ['población', 'localidad', 'ciudad', 'municipio', 'pobl', 'poblac'],
    fr: ['ville', 'commune', 'localité'],
    de: ['ort', 'wohnort', 'stadt'],
    pt: ['localidade', 'cidade', 'concelho'],
    it: ['città', 'comune', 'località', 'comune di residenza'],
    ar: ['المدينة']
  },
  {
    en: ['state', 'county', 'province', 'region'],
    es: ['provincia', 'prov'],
    fr: ['département', 'province'],
    de: ['bundesland', 'kanton'],
    pt: ['distrito', 'estado'],
    it: ['provincia', 'prov'],
    ar: ['المنطقة', 'المحافظة']
  }
]

export const allOf = (headers: Headers): string[] => [...new Set(Object.values(headers).flat())]
