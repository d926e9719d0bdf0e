import { SECRETS, type PaymentSettings } from '../../shared/settings.ts'

type Secret = typeof SECRETS[number]
/** The values of the form: a number may be empty, and of a secret only whether one is set is known. */
export type PaymentSettingsForm = Omit<PaymentSettings, Secret | 'due_days' | 'deposit_percent'>
  & Record<Secret, { set: boolean } | string | null>
  & { due_days: number | undefined, deposit_percent: string | undefined }

/** Texts that may be missing. An emptied field becomes null. */
const OPTIONAL = ['deposit_amount', 'deposit_from', 'iban', 'creditor', 'bic', 'redsys_merchant', 'redsys_terminal'] as const

/** An untouched secret is left out. An emptied number becomes an empty text: a missing one would mean “unchanged”. */
export function toPaymentSettings(form: PaymentSettingsForm) {
  const isUntouched = (name: Secret) => form[name] === '' || (form[name] !== null && typeof form[name] === 'object')
  const untouched: string[] = SECRETS.filter(isUntouched)
  const settings = {
    ...form,
    ...Object.fromEntries(OPTIONAL.map(name => [name, form[name] === '' ? null : form[name]])),
    due_days: form.due_days ?? '',
    deposit_percent: form.deposit_percent ?? ''
  }
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !untouched.includes(name)))
}
