import type { LANGUAGES } from '@svc/kit/schemas'

type Language = typeof LANGUAGES[number]
interface ClauseTexts {
  title: string
  percent: (percent: string, amount: string) => string
  percentOnly: (percent: string) => string
  amount: (amount: string) => string
  /** Follows the sentence of a deposit that can be paid some days later. */
  within: (days: number) => string
  /** Follows the sentence of a deposit that is not due for each choice. */
  from: (amount: string) => string
}

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The form that the number takes in the language, with the number in place of `{n}`. */
const inForm = (language: Language, n: number, forms: Forms): string =>
  (forms[new Intl.PluralRules(language).select(n)] ?? forms.other).replace('{n}', String(n))

/** `30 %`: our English conditions have a space before the sign, unlike `Intl`. */
const spaced = (percent: string): string => percent.replace(/\s*%/, ' %')

const TEXTS: Record<Language, ClauseTexts> = {
  en: {
    title: 'Deposit',
    percent: (percent, amount) => `On acceptance a deposit of ${spaced(percent)} of the accepted total is due: ${amount}`,
    percentOnly: percent => `On acceptance a deposit of ${spaced(percent)} of the accepted total is due`,
    amount: amount => `On acceptance a deposit of ${amount} is due`,
    within: days => inForm('en', days, {
      one: 'Please pay it within {n} day of acceptance.',
      other: 'Please pay it within {n} days of acceptance.'
    }),
    from: amount => `Below an accepted total of ${amount} there is no deposit.`
  },
  es: {
    title: 'Anticipo',
    percent: (percent, amount) => `Al aceptar se debe un anticipo del ${percent} del total aceptado: ${amount}`,
    percentOnly: percent => `Al aceptar se debe un anticipo del ${percent} del total aceptado`,
    amount: amount => `Al aceptar se debe un anticipo de ${amount}`,
    within: days => inForm('es', days, {
      one: 'Páguelo en un plazo de {n} día desde la aceptación.',
      other: 'Páguelo en un plazo de {n} días desde la aceptación.'
    }),
    from: amount => `Si el total aceptado es inferior a ${amount}, no hay anticipo.`
  },
  fr: {
    title: 'Acompte',
    percent: (percent, amount) => `À l’acceptation, un acompte de ${percent} du total accepté est dû : ${amount}`,
    percentOnly: percent => `À l’acceptation, un acompte de ${percent} du total accepté est dû`,
    amount: amount => `À l’acceptation, un acompte de ${amount} est dû`,
    within: days => inForm('fr', days, {
      one: 'Merci de le régler dans un délai de {n} jour après l’acceptation.',
      other: 'Merci de le régler dans un délai de {n} jours après l’acceptation.'
    }),
    from: amount => `Si le total accepté est inférieur à ${amount}, il n’y a pas d’acompte.`
  },
  de: {
    title: 'Anzahlung',
    percent: (percent, amount) => `Bei Annahme ist eine Anzahlung von ${percent} der angenommenen Summe fällig: ${amount}`,
    percentOnly: percent => `Bei Annahme ist eine Anzahlung von ${percent} der angenommenen Summe fällig`,
    amount: amount => `Bei Annahme ist eine Anzahlung von ${amount} fällig`,
    within: days => inForm('de', days, {
      one: 'Bitte zahlen Sie sie innerhalb eines Tages nach der Annahme.',
      other: 'Bitte zahlen Sie sie innerhalb von {n} Tagen nach der Annahme.'
    }),
    from: amount => `Bei einer angenommenen Summe unter ${amount} ist keine Anzahlung fällig.`
  },
  pt: {
    title: 'Adiantamento',
    percent: (percent, amount) => `Ao aceitar, é devido um adiantamento de ${percent} do total aceite: ${amount}`,
    percentOnly: percent => `Ao aceitar, é devido um adiantamento de ${percent} do total aceite`,
    amount: amount => `Ao aceitar, é devido um adiantamento de ${amount}`,
    within: days => inForm('pt', days, {
      one: 'Pague-o no prazo de {n} dia após a aceitação.',
      other: 'Pague-o no prazo de {n} dias após a aceitação.'
    }),
    from: amount => `Se o total aceite for inferior a ${amount}, não há adiantamento.`
  },
  ar: {
    title: 'الدفعة المقدّمة',
    percent: (percent, amount) => `عند القبول تُستحق دفعة مقدّمة بنسبة ${percent} من المجموع المقبول: ${amount}`,
    percentOnly: percent => `عند القبول تُستحق دفعة مقدّمة بنسبة ${percent} من المجموع المقبول`,
    amount: amount => `عند القبول تُستحق دفعة مقدّمة قدرها ${amount}`,
    within: days => inForm('ar', days, {
      one: 'يُرجى دفعها خلال يوم واحد من القبول.',
      two: 'يُرجى دفعها خلال يومين من القبول.',
      few: 'يُرجى دفعها خلال {n} أيام من القبول.',
      many: 'يُرجى دفعها خلال {n} يومًا من القبول.',
      other: 'يُرجى دفعها خلال {n} يوم من القبول.'
    }),
    from: amount => `إذا كان المجموع المقبول أقل من ${amount} فلا تُستحق دفعة مقدّمة.`
  }
}

/** The texts in the reader's language, or in English. `es-MX` reads Spanish. */
export const clauseTexts = (locale: string): ClauseTexts => TEXTS[locale.split('-')[0] as Language] ?? TEXTS.en
