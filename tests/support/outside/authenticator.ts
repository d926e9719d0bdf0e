import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A security key in software: the answers of a browser and its authenticator for a page of `origin` (W3C WebAuthn). */
export function aSecurityKey({ origin }: { origin: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string, y: string }
  /** COSE: EC2, ES256, P-256, and the two coordinates. */
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')
  ])
  const state = { counter: 0, verified: true, origin }

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: state.origin, crossOrigin: false }))

  function authenticatorData(attested?: Buffer) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    const flags = 0x01 | (state.verified ? 0x04 : 0) | (attested ? 0x40 : 0)
    const rp = createHash('sha256').update(new URL(origin).hostname).digest()
    return Buffer.concat([rp, Buffer.of(flags), counter, ...attested ? [attested] : []])
  }

  const answer = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response
  })

  return {
    state,
    enrol({ challenge }: { challenge: string }) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      const data = authenticatorData(attested)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(data.length)
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'), length, data
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url')
      })
    },
    sign({ challenge }: { challenge: string }) {
      state.counter += 1
      const [client, data] = [clientData('webauthn.get', challenge), authenticatorData()]
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url')
      })
    }
  }
}
