declare module 'sepa-payment-qr-code' {
  interface Transfer {
    name: string
    iban: string
    bic?: string
    /** In euros. */
    amount: number | null
    unstructuredReference?: string
  }
  /** The text of the EPC QR code (EPC069-12). Throws for values that it can't have. */
  export default function generateQrCode(transfer: Transfer): string
}
