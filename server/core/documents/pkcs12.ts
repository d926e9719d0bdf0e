import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { CertBag, ContentInfo, EncryptedContentInfo, PFX, SafeBag, SafeContents } from 'pkijs'

const OID = {
  data: '1.2.840.113549.1.7.1',
  encrypted_data: '1.2.840.113549.1.7.6',
  key_bag: '1.2.840.113549.1.12.10.1.1',
  shrouded_key_bag: '1.2.840.113549.1.12.10.1.2',
  certificate_bag: '1.2.840.113549.1.12.10.1.3',
  x509: '1.2.840.113549.1.9.22.1',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12'
}
/** AES-128, -192 and -256 in CBC mode. */
const CIPHERS = ['2.16.840.1.101.3.4.1.2', '2.16.840.1.101.3.4.1.22', '2.16.840.1.101.3.4.1.42']
/** SHA-1 and SHA-2: the classic HMAC, which all tools write by default. */
const MACS = ['1.3.14.3.2.26', '2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3']

/**
 * An OpenSSL command that converts a file into one that the service can read. The key is unencrypted in between,
 * readable only for the caller.
 */
const CONVERSION
  = 'umask 077; openssl pkcs12 -legacy -in old.p12 -nodes -out seal.pem && openssl pkcs12 -export -keypbe AES-256-CBC -certpbe AES-256-CBC -macalg SHA256 -in seal.pem -out new.p12; rm seal.pem'

/** Why a file cannot be used, worded to follow its name. */
export class Pkcs12Error extends Error {
  override name = 'Pkcs12Error'
}

export interface Pkcs12 { keys: KeyObject[], /** DER. */ certificates: Uint8Array[] }

/** Keys and certificates of a PKCS #12 file (RFC 7292) encrypted with AES. Throws Pkcs12Error. */
export async function openPkcs12(bytes: Uint8Array, password: string): Promise<Pkcs12> {
  const pkijs = await import('pkijs')
  const secret = new Uint8Array(Buffer.from(password)).buffer
  const pfx = readPfx(pkijs, bytes)
  await checkPassword(pfx, secret)
  const opened: Pkcs12 = { keys: [], certificates: [] }
  for (const content of pfx.parsedValue!.authenticatedSafe!.safeContents) {
    const { safeBags } = await openContents(pkijs, content, secret)
    for (const bag of safeBags) addBag(opened, bag, password)
  }
  return opened
}

type Pki = typeof import('pkijs')

function readPfx(pkijs: Pki, bytes: Uint8Array): PFX {
  try {
    return pkijs.PFX.fromBER(new Uint8Array(bytes).buffer)
  } catch {
    throw new Pkcs12Error('is not a PKCS #12 file (.p12, .pfx)')
  }
}

/** In a file without a MAC, only a failed decryption shows that the password is wrong. */
async function checkPassword(pfx: PFX, password: ArrayBuffer): Promise<void> {
  const mac = pfx.macData?.mac.digestAlgorithm.algorithmId
  if (mac !== undefined && !MACS.includes(mac)) throw unsupported()
  try {
    await pfx.parseInternalValues({ password, checkIntegrity: mac !== undefined })
  } catch {
    throw wrongPassword()
  }
}

async function openContents(
  pkijs: Pki,
  { contentType, content }: ContentInfo,
  password: ArrayBuffer
): Promise<SafeContents> {
  if (contentType === OID.data) return pkijs.SafeContents.fromBER(content.getValue())
  if (contentType !== OID.encrypted_data) throw unsupported()
  const encrypted = new pkijs.EncryptedData({ schema: content })
  if (!isModern(pkijs, encrypted.encryptedContentInfo.contentEncryptionAlgorithm)) throw unsupported()
  try {
    return pkijs.SafeContents.fromBER(await encrypted.decrypt({ password }))
  } catch {
    throw wrongPassword()
  }
}

function isModern(
  pkijs: Pki,
  { algorithmId, algorithmParams }: EncryptedContentInfo['contentEncryptionAlgorithm']
): boolean {
  if (algorithmId !== OID.pbes2) return false
  const { keyDerivationFunc, encryptionScheme } = new pkijs.PBES2Params({ schema: algorithmParams })
  return keyDerivationFunc.algorithmId === OID.pbkdf2 && CIPHERS.includes(encryptionScheme.algorithmId)
}

function addBag(opened: Pkcs12, { bagId, bagValue }: SafeBag, password: string): void {
  if (bagId === OID.certificate_bag) takeCertificate(opened, bagValue as CertBag) // the id determines the type
  if (bagId === OID.key_bag || bagId === OID.shrouded_key_bag)
    opened.keys.push(readKey(bagValue.toSchema().toBER(), password))
}

function takeCertificate(opened: Pkcs12, { certId, certValue }: CertBag): void {
  if (certId === OID.x509 && 'getValue' in certValue) opened.certificates.push(new Uint8Array(certValue.getValue()))
}

/** PKCS #8, plain or encrypted: the same bytes as in a file of its own. */
function readKey(der: ArrayBuffer, password: string): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8', passphrase: password })
  } catch {
    throw new Pkcs12Error('holds a private key that cannot be opened with SVC_SEAL_PASSWORD')
  }
}

const wrongPassword = () => new Pkcs12Error('does not open with SVC_SEAL_PASSWORD, or is damaged')
const unsupported = () =>
  new Pkcs12Error(
    `is protected by a method that is unsafe or not supported. Convert it and use the new file: ${CONVERSION}`
  )
