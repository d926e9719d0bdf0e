import { digits } from '@svc/kit/schemas'
import * as z from 'zod'
import { ClinicCard, Id, Instant, MoneyText, PatientView, Sha256, SignedPdf } from './common.ts'
import { Locale, nameText, plainText } from './text.ts'

/**
 * Version of the consent sentence, which the record stores with the sentence. Raise it whenever the sentence changes on
 * the page or in the PDF, in any language.
 */
export const CONSENT_VERSION = '2026-11'

/** 4 to 8 digits. */
export const Code = digits(/^\d{4,8}$/, 'Must be 4 to 8 digits.')

export const RELATIONSHIPS = ['patient', 'guardian', 'representative'] as const
export const REASON_CODES = ['price', 'time', 'second_opinion', 'other'] as const

/** The language of names and documents; defaults to the budget's own. */
export const ReaderQuery = z.strictObject({ locale: Locale.optional() })

/** What anyone with the link may see. A closed list: no patient, number, price or decision. */
export const LinkMeta = z.object({
  state: z.enum(['open', 'locked', 'closed']),
  locked: z.boolean(),
  locked_until: Instant.nullable(),
  clinic: ClinicCard,
  locale: z.string(),
  time_zone: z.string(),
  /** The channel that can bring a code for this link now; absent if there is none. */
  code_by: z.string().optional(),
  /** The clinic's own code opens nothing. */
  code_only: z.literal(true).optional()
})

/** What another module adds to the patient's page: plain text, and links or a picture below its own public paths. */
export const PageSection = z.object({
  module: z.string(),
  /** Unique in the module. */
  id: z.string(),
  title: z.string(),
  text: z.string().optional(),
  /** Label and value. */
  facts: z.array(z.tuple([z.string(), z.string()])).optional(),
  image: z.object({
    src: z.string(),
    alt: z.string(),
    /** In CSS pixels. */
    width: z.int().optional(),
    height: z.int().optional()
  }).optional(),
  actions: z.array(z.object({
    label: z.string(),
    href: z.string(),
    kind: z.enum(['primary', 'secondary'])
  })).optional()
})
export type PageSection = z.infer<typeof PageSection>

/** The patient's view by link. The sections aren't part of the content, and are absent if no module adds any. */
export const LinkView = PatientView.extend({ sections: z.array(PageSection).optional() })
export type LinkView = z.infer<typeof LinkView>

/** `path`: relative to the instance's URL. */
export const ShortAddress = z.object({ path: z.string() })
export type ShortAddress = z.infer<typeof ShortAddress>

/** The code that is typed, or the secret that is scanned, on the device on which the patient signs. */
export const SignDigits = z.strictObject({ code: digits(/^\d{6}$/, 'Must be six digits.') })
export const SignSecret = z.strictObject({ secret: z.string().min(20).max(100) })
/** `path`: the patient's page, relative to the instance's URL. */
export const SignAnswer = z.object({ path: z.string() })
export type SignAnswer = z.infer<typeof SignAnswer>

export const SendCodeRequest = z.strictObject({ channel: z.string().max(30) })
/** `sent_to`: the address with most of it hidden. */
export const SendCodeAnswer = z.object({ sent_to: z.string(), expires_at: Instant })
export type SendCodeAnswer = z.infer<typeof SendCodeAnswer>

export const VerifyRequest = z.strictObject({ code: Code })
export const VerifyAnswer = z.object({ session_expires_at: Instant })

/** An image belongs to a drawn signature only. */
const SignatureInput = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('click'), image: z.null().optional() }),
  z.strictObject({ method: z.literal('typed'), image: z.null().optional() }),
  z.strictObject({ method: z.literal('drawn'), image: z.string().max(200_000, 'The image is larger than 200 kB.') })
])

/** The patient's selection: every choice by its id, with the id of an option, or null for none. */
export const SelectionInput = z.record(z.string(), z.string().nullable())

export const PriceRequest = z.strictObject({ selection: SelectionInput })
export const PriceAnswer = z.object({
  /** Whether no required answer is missing. */
  complete: z.boolean(),
  /** The chosen lines at the prices of this selection, in the offer's order. */
  items: PatientView.shape.items,
  total: MoneyText,
  original_total: MoneyText,
  discount_total: MoneyText,
  tax_total: MoneyText,
  /** Digest of the content that this selection accepts; null while an answer is missing. */
  content_digest: Sha256.nullable(),
  /** For each option, the total if it were chosen and the rest stayed the same. */
  with: z.record(Id, MoneyText)
})

export const AcceptRequest = z.strictObject({
  signer_name: nameText(200),
  relationship: z.enum(RELATIONSHIPS).default('patient'),
  signature: SignatureInput,
  consent: z.literal(true, 'Consent is needed to accept.'),
  /** Required if the patient can choose. */
  content_digest: Sha256.nullish(),
  /** Required if the patient can choose, and refused otherwise. */
  selection: SelectionInput.nullish()
})
export const AcceptAnswer = z.object({
  status: z.literal('accepted'),
  decided_at: Instant,
  signed_pdf: SignedPdf.pick({ status: true })
})

export const RejectRequest = z
  .strictObject({
    reason: plainText(2000).nullish(),
    reason_code: z.enum(REASON_CODES).nullish(),
    signer_name: nameText(200).nullish()
  })
  .refine(({ reason, reason_code }) => reason != null || reason_code != null, {
    path: ['reason'],
    message: 'Give a reason in words, or a category.'
  })
export const RejectAnswer = z.object({ status: z.literal('rejected'), decided_at: Instant })

export type LinkMeta = z.infer<typeof LinkMeta>
export type PriceRequest = z.infer<typeof PriceRequest>
export type PriceAnswer = z.infer<typeof PriceAnswer>
export type AcceptRequest = z.infer<typeof AcceptRequest>
export type AcceptAnswer = z.infer<typeof AcceptAnswer>
export type RejectRequest = z.infer<typeof RejectRequest>
export type RejectAnswer = z.infer<typeof RejectAnswer>
