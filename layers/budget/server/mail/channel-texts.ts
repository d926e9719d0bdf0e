import type { Locale } from '../../shared/text.ts'

/** Words about channels, for the staff. */
interface ChannelTexts { by_hand: string, no_email: string, no_address: string }

const TEXTS: Record<Locale, ChannelTexts> = {
  en: {
    by_hand: 'Hand it over yourself',
    no_email: 'The patient has no email address.',
    no_address: 'The patient has no address for this channel.'
  },
  es: {
    by_hand: 'Entregarlo usted',
    no_email: 'El paciente no tiene correo electrónico.',
    no_address: 'El paciente no tiene dirección para este canal.'
  },
  fr: {
    by_hand: 'Le remettre vous-même',
    no_email: 'Le patient n’a pas d’adresse e-mail.',
    no_address: 'Le patient n’a pas d’adresse pour ce canal.'
  },
  de: {
    by_hand: 'Selbst weitergeben',
    no_email: 'Es ist keine E-Mail-Adresse hinterlegt.',
    no_address: 'Für diesen Kanal ist keine Adresse hinterlegt.'
  },
  pt: {
    by_hand: 'Entregar pessoalmente ou por mensagem',
    no_email: 'O paciente não tem endereço de e-mail.',
    no_address: 'O paciente não tem endereço para este canal.'
  },
  ar: {
    by_hand: 'تسليمه بأنفسكم',
    no_email: 'ليس للمريض بريد إلكتروني.',
    no_address: 'ليس للمريض عنوان لهذه القناة.'
  }
}

export const channelTextsFor = (locale: Locale | undefined): ChannelTexts => TEXTS[locale ?? 'en']
