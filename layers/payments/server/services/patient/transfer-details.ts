import type { Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import { toString as drawQr } from 'qrcode'
import epcText from 'sepa-payment-qr-code'
import type { StoredRequest } from '../../db/requests.ts'
import { settingsOf } from '../../settings.ts'

export interface TransferDetails {
  iban: string
  creditor: string
  bic: string | null
  reference: string
  /** The text of the EPC QR code; null outside the euro. */
  code: string | null
}

/** EPC069-12: at most 999,999,999.99. */
const MAX_CENTS = 99_999_999_999n

/** Where the patient transfers the money; null unless the clinic takes transfers. */
export async function transferDetails(ctx: Ctx, request: StoredRequest): Promise<TransferDetails | null> {
  const { provider, iban, creditor, bic } = await settingsOf(ctx, request.clinic_id)
  if (provider !== 'transfer' || iban === null || creditor === null) return null
  const { currency, amount, reference } = request
  // The code of the European Payments Council is for euros alone.
  const code = currency === 'EUR' && amount <= MAX_CENTS
    ? epcText({
        name: creditor,
        iban,
        ...bic === null ? {} : { bic },
        amount: Number(formatMoney(amount, currency)),
        unstructuredReference: reference
      })
    : null
  return { iban, creditor, bic, reference, code }
}

/** Error correction M, as the EPC asks for. */
export const drawCode = (code: string): Promise<string> =>
  drawQr(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
