import { displayAmount } from '@svc/kit/locale'
import type { LANGUAGES } from '@svc/kit/schemas'

type Language = typeof LANGUAGES[number]
interface ClauseTexts {
  title: string
  percent: (percent: string, amount: string) => string
  percentOnly: (percent: string) => string
  amount: (amount: string) => string
  /** Follows the sentence of a deposit that is not due for each choice. */
  from: (amount: string) => string
}

const TEXTS: Record<Language, ClauseTexts> = {
  en: {
    title: 'Deposit',
    percent: (percent, amount) => `On acceptance a deposit of ${percent} of the accepted total is due: ${amount}`,
    percentOnly: percent => `On acceptance a deposit of ${percent} of the accepted total is due`,
    amount: amount => `On acceptance a deposit of ${amount} is due`,
    from: amount => `Below an accepted total of ${amount} there is no deposit.`
  },
  es: {
    title: 'Anticipo',
    percent: (percent, amount) => `Al aceptar se debe un anticipo del ${percent} del total aceptado: ${amount}`,
    percentOnly: percent => `Al aceptar se debe un anticipo del ${percent} del total aceptado`,
    amount: amount => `Al aceptar se debe un anticipo de ${amount}`,
    from: amount => `Si el total aceptado es inferior a ${amount}, no hay anticipo.`
  },
  fr: {
    title: 'Acompte',
    percent: (percent, amount) => `À l’acceptation, un acompte de ${percent} du total accepté est dû : ${amount}`,
    percentOnly: percent => `À l’acceptation, un acompte de ${percent} du total accepté est dû`,
    amount: amount => `À l’acceptation, un acompte de ${amount} est dû`,
    from: amount => `Si le total accepté est inférieur à ${amount}, il n’y a pas d’acompte.`
  },
  de: {
    title: 'Anzahlung',
    percent: (percent, amount) => `Bei Annahme ist eine Anzahlung von ${percent} der angenommenen Summe fällig: ${amount}`,
    percentOnly: percent => `Bei Annahme ist eine Anzahlung von ${percent} der angenommenen Summe fällig`,
    amount: amount => `Bei Annahme ist eine Anzahlung von ${amount} fällig`,
    from: amount => `Bei einer angenommenen Summe unter ${amount} ist keine Anzahlung fällig.`
  },
  pt: {
    title: 'Adiantamento',
    percent: (percent, amount) => `Ao aceitar, é devido um adiantamento de ${percent} do total aceite: ${amount}`,
    percentOnly: percent => `Ao aceitar, é devido um adiantamento de ${percent} do total aceite`,
    amount: amount => `Ao aceitar, é devido um adiantamento de ${amount}`,
    from: amount => `Se o total aceite for inferior a ${amount}, não há adiantamento.`
  },
  ar: {
    title: 'الدفعة المقدّمة',
    percent: (percent, amount) => `عند القبول تُستحق دفعة مقدّمة بنسبة ${percent} من المجموع المقبول: ${amount}`,
    percentOnly: percent => `عند القبول تُستحق دفعة مقدّمة بنسبة ${percent} من المجموع المقبول`,
    amount: amount => `عند القبول تُستحق دفعة مقدّمة قدرها ${amount}`,
    from: amount => `إذا كان المجموع المقبول أقل من ${amount} فلا تُستحق دفعة مقدّمة.`
  }
}

/** The texts in the reader's language, or in English. `es-MX` reads Spanish. */
export const clauseTexts = (locale: string): ClauseTexts => TEXTS[locale.split('-')[0] as Language] ?? TEXTS.en

/** `33.33` → `33.33 %`, in the decimals of the language. */
export function displayPercent(percent: string, locale: string): string {
  const point = /[.,٫]/.exec(displayAmount('0.50', 'EUR', locale))?.[0] ?? '.'
  return `${percent.replace(/\.0+$/, '').replace('.', point)} %`
}
