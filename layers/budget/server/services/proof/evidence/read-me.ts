import type { BudgetRow } from '../../../db/budgets.ts'

/** How to check by hand, for readers who don't trust the page. */
export const readMe = ({
  number,
  version
}: Pick<BudgetRow, 'number' | 'version'>): string => `Evidence of the acceptance of ${number}, version ${version}

  signed.pdf       the document as it was signed and sealed
  content.json     what was accepted, byte for byte as it was stored (RFC 8785)
  signature.json   who accepted it, when and how
  signature.png    the drawn signature, if there is one
  access-log.json  who opened the budget and what happened, oldest first
  withdrawal.json  the withdrawal of the acceptance, if it was withdrawn
  messages.json    the messages of patient and clinic, if there are any
  certificate.pem  the certificate of the service that made this file
  hashes.json      SHA-256 and size of all of these
  hashes.sig       the service's signature over hashes.json, base64
  check.html       checks all of it in a browser, without a network
  SHA256SUMS       the same sums for sha256sum

Check by hand:

  sha256sum -c SHA256SUMS

  openssl x509 -in certificate.pem -noout -pubkey > ../key.pem
  openssl base64 -d -A -in hashes.sig -out ../hashes.sig.bin
  openssl dgst -sha256 -verify ../key.pem -signature ../hashes.sig.bin hashes.json

  pdfsig signed.pdf

SHA256SUMS is not signed, but hashes.json is: rely on its sums. content_digest of signature.json is the
SHA-256 of content.json, and is printed in signed.pdf; document_sha256 is the SHA-256 of signed.pdf.

This file can't prove that certificate.pem belongs to the clinic's service. Compare its fingerprint (openssl x509 -in
certificate.pem -noout -fingerprint -sha256) with the one that the clinic gives you, or ask the service about signed.pdf
at the address "check_url" of hashes.json.
`
