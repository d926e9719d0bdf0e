import { decimal } from '@svc/kit/schemas'
import { singleLine, visible } from '@svc/kit/text'
import * as z from 'zod'
import { isIban, joinIban } from './domain/iban.ts'

export const PROVIDERS = ['transfer', 'stripe', 'mollie', 'redsys'] as const
export type ProviderName = typeof PROVIDERS[number]

const Amount = decimal(/^\d{1,12}(\.\d{1,4})?$/, 'Must be an amount such as "60.00".').meta({ kind: 'money' })
const Key = z.string().trim().min(8).max(300).check(singleLine).nullable()
/** Where the provider is called: its own address, unless a test or a proxy replaces it. */
const Host = z.string().trim().max(200).regex(/^https?:\/\/[^\s/?#@]+$/, 'Must be an address such as "https://api.example.com".')

/** Settings that each clinic has of this module. */
export const PaymentSettings = z.object({
  provider: z.enum(PROVIDERS),
  mode: z.enum(['test', 'live']),
  deposit: z.enum(['none', 'percent', 'amount']),
  /** Of the accepted total, `"33.33"`. */
  deposit_percent: decimal(/^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/, 'Must be a percentage from 0 to 100.'),
  deposit_amount: Amount.nullable(),
  /** No deposit below this total. */
  deposit_from: Amount.nullable(),
  /** Days from the acceptance, or the request, to the due date. */
  due_days: z.int().min(0).max(365),
  /** For transfers. */
  iban: z.string().overwrite(joinIban).refine(isIban, 'Must be an IBAN.').nullable(),
  /** The account's holder, as banks show it. */
  creditor: z.string().trim().max(70).check(singleLine, visible).nullable(),
  bic: z.string().trim().toUpperCase().regex(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, 'Must be a BIC.').nullable(),
  stripe_test_key: Key,
  stripe_live_key: Key,
  stripe_test_webhook_secret: Key,
  stripe_live_webhook_secret: Key,
  stripe_host: Host,
  mollie_test_key: Key,
  mollie_live_key: Key,
  mollie_host: Host,
  /** Merchant code (FUC) and terminal. */
  redsys_merchant: z.string().trim().regex(/^\d{1,9}$/, 'Must have 1 to 9 digits.').nullable(),
  redsys_terminal: z.string().trim().regex(/^\d{1,3}$/, 'Must have 1 to 3 digits.').nullable(),
  redsys_test_key: Key,
  redsys_live_key: Key,
  redsys_test_host: Host,
  redsys_live_host: Host
})
export type PaymentSettings = z.infer<typeof PaymentSettings>

export const SECRETS = [
  'stripe_test_key',
  'stripe_live_key',
  'stripe_test_webhook_secret',
  'stripe_live_webhook_secret',
  'mollie_test_key',
  'mollie_live_key',
  'redsys_test_key',
  'redsys_live_key'
] as const satisfies (keyof PaymentSettings)[]

/** Of a clinic that has changed nothing: transfers without a deposit. */
export const DEFAULTS: PaymentSettings = {
  provider: 'transfer',
  mode: 'test',
  deposit: 'none',
  deposit_percent: '30',
  deposit_amount: null,
  deposit_from: null,
  due_days: 7,
  iban: null,
  creditor: null,
  bic: null,
  stripe_test_key: null,
  stripe_live_key: null,
  stripe_test_webhook_secret: null,
  stripe_live_webhook_secret: null,
  stripe_host: 'https://api.stripe.com',
  mollie_test_key: null,
  mollie_live_key: null,
  mollie_host: 'https://api.mollie.com',
  redsys_merchant: null,
  redsys_terminal: null,
  redsys_test_key: null,
  redsys_live_key: null,
  redsys_test_host: 'https://sis-t.redsys.es:25443',
  redsys_live_host: 'https://sis.redsys.es'
}
