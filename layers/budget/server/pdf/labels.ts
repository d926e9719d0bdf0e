import { displayLocale } from '@svc/kit/locale'
import type { BudgetDocument, DocumentDecision } from './document.ts'
import type { Rule } from '../../shared/domain/selection.ts'
import { ar } from './labels-ar.ts'
import { rules } from './rules.ts'

/**
 * Texts that also occur on the patient's page are the same there (`i18n/locales`); `tests/unit/budget/words.test.ts`
 * compares them.
 */
export interface Labels {
  title: string
  version: string
  /** Contains `{page}` and `{pages}`. */
  page: string
  patient: string
  professional: string
  /** Below the clinician's name. */
  license: (number: string) => string
  unassigned: string
  date: string
  valid: string
  /** Two lines, to leave room for the names beside it. */
  until: (date: string) => string
  treatment: string
  tooth: string
  quantity: string
  original_price: string
  price: string
  original_total: string
  discount: string
  global_discount: string
  total: string
  tax_included: (amount: string) => string
  no_tax: string
  /** Heading of the lines that are part of every selection. */
  base: string
  rule: (choice: { rule: Rule, options: readonly unknown[] }) => string
  recommended: string
  range: (from: string, to: string) => string
  depends: string
  /** Shown if nothing was chosen of an optional choice. */ none: string
  not_chosen: string
  notes: string
  status: Record<BudgetDocument['status'], string>
  decision: string
  statement: (number: string, version: number, total: string) => string
  /** The sentence to which the patient agrees on the page. */
  consent: (clinic: string, total: string) => string
  signer: string
  relationship: string
  relationships: Record<DocumentDecision['relationship'], string>
  signature: string
  click_statement: string
  decided_at: string
  method: string
  methods: Record<DocumentDecision['method'], string>
  via: Record<DocumentDecision['decided_via'], string>
  content_digest: string
  check: string
  check_hint: string
}

const en: Labels = {
  title: 'Treatment budget',
  version: 'Version',
  page: 'Page {page} of {pages}',
  patient: 'Patient',
  professional: 'Clinician',
  license: number => `Licence ${number}`,
  unassigned: 'Not assigned yet',
  date: 'Date',
  valid: 'Valid',
  until: date => `until the end of\n${date}`,
  treatment: 'Treatment',
  tooth: 'Tooth',
  quantity: 'Quantity',
  original_price: 'Original price',
  price: 'Price',
  original_total: 'Before discounts',
  discount: 'Discount',
  global_discount: 'Discount on the total',
  total: 'Total',
  tax_included: amount => `Includes ${amount} tax.`,
  no_tax: 'No tax applies.',
  base: 'Always included',
  rule: rules(
    'Choose one.',
    'Choose one, or none.',
    'Optional: tick it if you want it.'
  ),
  recommended: 'Recommended by your clinic',
  range: (from, to) => `from ${from} to ${to}`,
  depends: 'The total depends on what you choose.',
  none: 'Nothing',
  not_chosen: 'Offered and not chosen',
  notes: 'Notes from the clinic',
  status: {
    draft: 'Draft',
    sent: 'Open',
    accepted: 'Accepted',
    rejected: 'Declined',
    expired: 'Expired',
    cancelled: 'Cancelled',
    superseded: 'Replaced'
  },
  decision: 'Acceptance',
  statement: (number, version, total) => `Budget ${number}, version ${version}, was accepted for a total of ${total}.`,
  consent: (clinic, total) => `I have read this budget of ${clinic} and accept it for ${total}.`,
  signer: 'Signed by',
  relationship: 'Signs as',
  relationships: { patient: 'Patient', guardian: 'Parent or guardian', representative: 'Representative' },
  signature: 'Signature',
  click_statement: 'Accepted with a click, with consent given in the form.',
  decided_at: 'Date and time',
  method: 'Way to sign',
  methods: { click: 'With a click', typed: 'By typing', drawn: 'By drawing' },
  via: { remote_link: 'through the link, opened with its code', in_clinic: 'in the clinic' },
  content_digest: 'Content fingerprint (SHA-256)',
  check: 'Check this file',
  check_hint: 'Scan the code or open the address: anyone can check there that this is the signed file.'
}

const es: Labels = {
  title: 'Presupuesto de tratamiento',
  version: 'Versión',
  page: 'Página {page} de {pages}',
  patient: 'Paciente',
  professional: 'Profesional',
  license: number => `N.º de colegiado ${number}`,
  unassigned: 'Sin asignar',
  date: 'Fecha',
  valid: 'Validez',
  until: date => `hasta el\n${date} inclusive`,
  treatment: 'Tratamiento',
  tooth: 'Pieza',
  quantity: 'Cantidad',
  original_price: 'Precio original',
  price: 'Precio',
  original_total: 'Antes de descuentos',
  discount: 'Descuento',
  global_discount: 'Descuento sobre el total',
  total: 'Total',
  tax_included: amount => `Incluye ${amount} de impuestos.`,
  no_tax: 'No se aplican impuestos.',
  base: 'Siempre incluido',
  rule: rules(
    'Elija una opción.',
    'Elija una opción o ninguna.',
    'Opcional: márquelo si lo desea.'
  ),
  recommended: 'Recomendado por su clínica',
  range: (from, to) => `de ${from} a ${to}`,
  depends: 'El total depende de lo que elija.',
  none: 'Nada',
  not_chosen: 'Propuesto y no elegido',
  notes: 'Notas de la clínica',
  status: {
    draft: 'Borrador',
    sent: 'Abierto',
    accepted: 'Aceptado',
    rejected: 'Rechazado',
    expired: 'Caducado',
    cancelled: 'Cancelado',
    superseded: 'Sustituido'
  },
  decision: 'Aceptación',
  statement: (number, version, total) =>
    `El presupuesto ${number}, versión ${version}, fue aceptado por un total de ${total}.`,
  consent: (clinic, total) => `He leído este presupuesto de ${clinic} y lo acepto por ${total}.`,
  signer: 'Firmado por',
  relationship: 'Firma como',
  relationships: { patient: 'Paciente', guardian: 'Padre, madre o tutor', representative: 'Representante' },
  signature: 'Firma',
  click_statement: 'Aceptado con un clic, con la conformidad dada en el formulario.',
  decided_at: 'Fecha y hora',
  method: 'Forma de firmar',
  methods: { click: 'Con un clic', typed: 'Escribiendo el nombre', drawn: 'A mano, en la pantalla' },
  via: { remote_link: 'mediante el enlace, abierto con su código', in_clinic: 'en la clínica' },
  content_digest: 'Huella del contenido (SHA-256)',
  check: 'Comprobar este archivo',
  check_hint:
    'Escanee el código o abra la dirección: cualquiera puede comprobar ahí que este archivo es el que se firmó.'
}

const fr: Labels = {
  title: 'Devis de traitement',
  version: 'Version',
  page: 'Page {page} sur {pages}',
  patient: 'Patient',
  professional: 'Praticien',
  license: number => `N° d’inscription ${number}`,
  unassigned: 'Pas encore désigné',
  date: 'Date',
  valid: 'Validité',
  until: date => `jusqu’au\n${date} inclus`,
  treatment: 'Traitement',
  tooth: 'Dent',
  quantity: 'Quantité',
  original_price: 'Prix initial',
  price: 'Prix',
  original_total: 'Avant remises',
  discount: 'Remise',
  global_discount: 'Remise sur le total',
  total: 'Total',
  tax_included: amount => `Dont ${amount} de taxes.`,
  no_tax: 'Aucune taxe ne s’applique.',
  base: 'Toujours compris',
  rule: rules(
    'Choisissez une option.',
    'Choisissez une option, ou aucune.',
    'En option\u00A0: cochez si vous le souhaitez.'
  ),
  recommended: 'Recommandé par votre cabinet',
  range: (from, to) => `de ${from} à ${to}`,
  depends: 'Le total dépend de vos choix.',
  none: 'Rien',
  not_chosen: 'Proposé et non retenu',
  notes: 'Remarques du cabinet',
  status: {
    draft: 'Brouillon',
    sent: 'Ouvert',
    accepted: 'Accepté',
    rejected: 'Refusé',
    expired: 'Expiré',
    cancelled: 'Retiré',
    superseded: 'Remplacé'
  },
  decision: 'Acceptation',
  statement: (number, version, total) =>
    `Le devis ${number}, version ${version}, a été accepté pour un total de ${total}.`,
  consent: (clinic, total) => `J’ai lu ce devis de ${clinic} et je l’accepte pour ${total}.`,
  signer: 'Signé par',
  relationship: 'Signe en tant que',
  relationships: { patient: 'Patient', guardian: 'Parent ou tuteur', representative: 'Représentant' },
  signature: 'Signature',
  click_statement: 'Accepté d’un clic, avec le consentement donné dans le formulaire.',
  decided_at: 'Date et heure',
  method: 'Façon de signer',
  methods: { click: 'D’un clic', typed: 'Au clavier', drawn: 'À la main' },
  via: { remote_link: 'par le lien, ouvert avec son code', in_clinic: 'au cabinet' },
  content_digest: 'Empreinte du contenu (SHA-256)',
  check: 'Vérifier ce fichier',
  check_hint:
    'Scannez le code ou ouvrez l’adresse\u00A0: chacun peut y vérifier que ce fichier est bien celui qui a été signé.'
}

const de: Labels = {
  title: 'Kostenvoranschlag',
  version: 'Version',
  page: 'Seite {page} von {pages}',
  patient: 'Patient/in',
  professional: 'Behandler/in',
  license: number => `Zulassungsnummer ${number}`,
  unassigned: 'Noch nicht festgelegt',
  date: 'Datum',
  valid: 'Gültig',
  until: date => `bis einschließlich\n${date}`,
  treatment: 'Behandlung',
  tooth: 'Zahn',
  quantity: 'Menge',
  original_price: 'Originalpreis',
  price: 'Preis',
  original_total: 'Vor Rabatten',
  discount: 'Rabatt',
  global_discount: 'Rabatt auf die Gesamtsumme',
  total: 'Gesamt',
  tax_included: amount => `Darin enthalten: ${amount} Steuer.`,
  no_tax: 'Es fällt keine Steuer an.',
  base: 'Immer enthalten',
  rule: rules(
    'Wählen Sie eine Option.',
    'Wählen Sie eine Option oder keine.',
    'Optional: Kreuzen Sie es an, wenn Sie es möchten.'
  ),
  recommended: 'Von Ihrer Praxis empfohlen',
  range: (from, to) => `${from} bis ${to}`,
  depends: 'Die Gesamtsumme hängt von Ihrer Auswahl ab.',
  none: 'Nichts',
  not_chosen: 'Angeboten und nicht gewählt',
  notes: 'Hinweise der Praxis',
  status: {
    draft: 'Entwurf',
    sent: 'Offen',
    accepted: 'Angenommen',
    rejected: 'Abgelehnt',
    expired: 'Abgelaufen',
    cancelled: 'Zurückgezogen',
    superseded: 'Ersetzt'
  },
  decision: 'Annahme',
  statement: (number, version, total) =>
    `Der Kostenvoranschlag ${number}, Version ${version}, wurde über insgesamt ${total} angenommen.`,
  consent: (clinic, total) => `Ich habe diesen Kostenvoranschlag von ${clinic} gelesen und nehme ihn für ${total} an.`,
  signer: 'Unterschrieben von',
  relationship: 'Unterschreibt als',
  relationships: { patient: 'Patient/in', guardian: 'Elternteil oder Vormund', representative: 'Vertreter/in' },
  signature: 'Unterschrift',
  click_statement: 'Per Klick angenommen, mit der im Formular erteilten Zustimmung.',
  decided_at: 'Datum und Uhrzeit',
  method: 'Art der Unterschrift',
  methods: { click: 'Per Klick', typed: 'Getippt', drawn: 'Gezeichnet' },
  via: { remote_link: 'über den Link, geöffnet mit seinem Code', in_clinic: 'in der Praxis' },
  content_digest: 'Fingerabdruck des Inhalts (SHA-256)',
  check: 'Diese Datei prüfen',
  check_hint:
    'Code scannen oder Adresse öffnen: Dort kann jede Person prüfen, dass diese Datei die unterschriebene ist.'
}

const pt: Labels = {
  title: 'Orçamento de tratamento',
  version: 'Versão',
  page: 'Página {page} de {pages}',
  patient: 'Paciente',
  professional: 'Profissional',
  license: number => `Cédula profissional ${number}`,
  unassigned: 'Ainda por atribuir',
  date: 'Data',
  valid: 'Validade',
  until: date => `até ao fim de\n${date}`,
  treatment: 'Tratamento',
  tooth: 'Dente',
  quantity: 'Quantidade',
  original_price: 'Preço original',
  price: 'Preço',
  original_total: 'Antes de descontos',
  discount: 'Desconto',
  global_discount: 'Desconto sobre o total',
  total: 'Total',
  tax_included: amount => `Inclui ${amount} de impostos.`,
  no_tax: 'Não se aplicam impostos.',
  base: 'Sempre incluído',
  rule: rules(
    'Escolha uma opção.',
    'Escolha uma opção ou nenhuma.',
    'Opcional: assinale-o, se o desejar.'
  ),
  recommended: 'Recomendado pela sua clínica',
  range: (from, to) => `de ${from} a ${to}`,
  depends: 'O total depende do que escolher.',
  none: 'Nada',
  not_chosen: 'Proposto e não escolhido',
  notes: 'Notas da clínica',
  status: {
    draft: 'Rascunho',
    sent: 'Aberto',
    accepted: 'Aceite',
    rejected: 'Recusado',
    expired: 'Expirado',
    cancelled: 'Retirado',
    superseded: 'Substituído'
  },
  decision: 'Aceitação',
  statement: (number, version, total) =>
    `O orçamento ${number}, versão ${version}, foi aceite por um total de ${total}.`,
  consent: (clinic, total) => `Li este orçamento de ${clinic} e aceito-o por ${total}.`,
  signer: 'Assinado por',
  relationship: 'Assina como',
  relationships: { patient: 'Paciente', guardian: 'Pai, mãe ou tutor', representative: 'Representante' },
  signature: 'Assinatura',
  click_statement: 'Aceite com um clique, com o consentimento dado no formulário.',
  decided_at: 'Data e hora',
  method: 'Forma de assinar',
  methods: { click: 'Clique', typed: 'Texto', drawn: 'Desenho' },
  via: { remote_link: 'através do link, aberto com o seu código', in_clinic: 'na clínica' },
  content_digest: 'Resumo do conteúdo (SHA-256)',
  check: 'Verificar este ficheiro',
  check_hint:
    'Leia o código ou abra o endereço: qualquer pessoa pode verificar aí que este ficheiro é o que foi assinado.'
}

const languages: Record<string, Labels> = { en, es, fr, de, pt, ar }

const languageOf = (locale: string) => locale.split('-')[0]!.toLowerCase()

/** The first of the wanted locales in which a PDF can be written, otherwise English. */
export const documentLocale = (...wanted: string[]): string =>
  wanted.find(locale => languageOf(locale) in languages) ?? 'en'

/** Labels in the locale's language, or in English; `language` is the actual language of the text. */
export function labelsFor(locale: string): { labels: Labels, language: string, format_locale: string } {
  const spoken = documentLocale(locale)
  const language = languageOf(spoken)
  return { labels: languages[language]!, language, format_locale: displayLocale(spoken) }
}
