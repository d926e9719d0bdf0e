import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { createFiles } from '../../../server/core/files/index.ts'
import { addressOf } from '../../../server/core/files/s3.ts'
import { allOf } from '../../support/all-of.ts'
import { aBucket, aRecorder } from '../../support/outside/object-store.ts'
import { signatureOf } from '../../support/outside/sigv4.ts'

const filesOf = (env: Record<string, string>) => createFiles(readConfig(env, '/srv/app'))
const bytes = (text: string) => Buffer.from(text)
const error = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>AKIAKEYID and more</Message><StringToSign>hunter2</StringToSign></Error>`
const NOT_FOUND: [number, string] = [404, error('NoSuchKey')]

describe('a document in a bucket', () => {
  let bucket: Awaited<ReturnType<typeof aBucket>>
  beforeAll(async () => { bucket = await aBucket() })
  afterAll(() => bucket.close())

  it('is written once: the same bytes are accepted again, others refused, also without conditional puts', async () => {
    const files = filesOf(bucket.env)
    await files.writeOnce('a/one.pdf', bytes('one'))
    await files.writeOnce('a/one.pdf', bytes('one'))
    await expect(files.writeOnce('a/one.pdf', bytes('two'))).rejects.toMatchObject({ code: 'EEXIST' })
    expect(Buffer.from(await files.read('a/one.pdf')).toString()).toBe('one')
  })

  it('is stored under the prefix and the same key as in the folder', async () => {
    await filesOf(bucket.env).writeOnce('clinic/budget/file.pdf', bytes('x'))
    expect(readdirSync(`${bucket.folder}/proofs/clinic/budget`).some(name => name.startsWith('file.pdf'))).toBe(true)
  })

  it('is listed by its name below a folder', async () => {
    const files = filesOf({ ...bucket.env, SVC_STORAGE: `${bucket.env.SVC_STORAGE}/listed` })
    expect((await allOf(files.list('a'))).flat()).toEqual([])
    for (const key of ['a/b/one.pdf', 'a/two.pdf', 'c.pdf']) await files.writeOnce(key, bytes(key))
    expect((await allOf(files.list(''))).flat().sort()).toEqual(['a', 'c.pdf'])
    expect((await allOf(files.list('a'))).flat().sort()).toEqual(['b', 'two.pdf'])
    await expect(allOf(files.list('../'))).rejects.toThrow(RangeError)
  })

  it('that is missing answers ENOENT', async () => {
    await expect(filesOf(bucket.env).read('none.pdf')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('of 5 MB is read back unchanged', async () => {
    const large = Buffer.alloc(5_000_000, 'pdf')
    await filesOf(bucket.env).writeOnce('large.pdf', large)
    expect(large.equals(await filesOf(bucket.env).read('large.pdf'))).toBe(true)
  })

  it.each(['../secret', '/etc/passwd', 'a//b', 'A.pdf', '', 'a/../b', '.hidden', 'a?b', 'a%2fb'])(
    'cannot have the key %j',
    async (key) => {
      await expect(filesOf(bucket.env).writeOnce(key, bytes('x'))).rejects.toThrow(RangeError)
      await expect(filesOf(bucket.env).read(key)).rejects.toThrow(RangeError)
    }
  )

  it('causes an error without credentials when the bucket is missing or the access key is wrong', async () => {
    const elsewhere = filesOf({ ...bucket.env, SVC_STORAGE: 's3://another-bucket' })
    await expect(elsewhere.read('a.pdf')).rejects.toThrow(
      'The object store answered 404 NoSuchBucket to the read of a.pdf.'
    )
    const stranger = filesOf({ ...bucket.env, AWS_ACCESS_KEY_ID: 'hunter2' })
    const { message } = await stranger.read('a.pdf').then(
      () => {
        throw new Error('it was read')
      },
      (error: Error) => error
    )
    expect(message).toBe(
      'The object store answered 403 InvalidAccessKeyId to the read of a.pdf. It must allow s3:GetObject, s3:PutObject and s3:ListBucket.'
    )
  })
})

describe('a request to the bucket', () => {
  let recorder: Awaited<ReturnType<typeof aRecorder>>
  beforeAll(async () => { recorder = await aRecorder() })
  afterEach(() => { recorder.calls.length = 0 })
  afterAll(() => recorder.close())
  const files = () => filesOf(recorder.env)
  const asked = () => recorder.calls.map(({ method, path }) => `${method} ${path}`)

  it('to write checks first, is conditional on the absence of the object, has the hash, and is signed', async () => {
    recorder.answer(NOT_FOUND, 200)
    await files().writeOnce('c/b/f.pdf', bytes('one'))
    expect(asked()).toEqual(['GET /clinic-documents/c/b/f.pdf', 'PUT /clinic-documents/c/b/f.pdf'])
    const { headers, body } = recorder.calls[1]!
    expect(headers).toMatchObject({ 'if-none-match': '*', 'content-type': 'application/pdf', 'content-length': '3' })
    expect(headers['x-amz-content-sha256']).toBe(createHash('sha256').update('one').digest('hex'))
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=S3RVER\/\d{8}\/eu-south-2\/s3\/aws4_request, SignedHeaders=host;if-none-match;x-amz-content-sha256;x-amz-date, Signature=/
    )
    expect(body.toString()).toBe('one')
  })

  it('has a signature of version 4, as Amazon describes it', async () => {
    // The verifier is checked first, with Amazon's own example.
    const example = {
      'host': 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': createHash('sha256').digest('hex'),
      'x-amz-date': '20130524T000000Z',
      'authorization':
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'
    }
    const theirs = signatureOf(
      { method: 'GET', path: '/?lifecycle', headers: example },
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
    )
    expect(theirs.expected).toBe(theirs.found)

    recorder.answer(NOT_FOUND, 200)
    await filesOf({
      ...recorder.env,
      SVC_STORAGE: 's3://clinic-documents/of_A/x',
      AWS_SECRET_ACCESS_KEY: 'the/key',
      AWS_SESSION_TOKEN: 's+1'
    }).writeOnce('c/b-1.2_3.pdf', bytes('one'))
    for (const call of recorder.calls) {
      const { expected, found } = signatureOf(call, 'the/key')
      expect(found).toBe(expected)
    }
  })

  it('has the token of a session', async () => {
    recorder.answer([200, 'one'])
    await filesOf({ ...recorder.env, AWS_SESSION_TOKEN: 'session' }).read('a')
    expect(recorder.calls[0]!.headers['x-amz-security-token']).toBe('session')
  })

  it.each([
    ['the same bytes are accepted', 'one', false],
    ['other bytes are refused with EEXIST', 'two', true]
  ])('to write that came second (412) compares the bytes: %s', async (_, stored, refused) => {
    recorder.answer(NOT_FOUND, [412, error('PreconditionFailed')], [200, stored])
    const writing = files().writeOnce('a', bytes('one'))
    if (refused) await expect(writing).rejects.toMatchObject({ code: 'EEXIST' })
    else await writing
    expect(asked()).toEqual(['GET /clinic-documents/a', 'PUT /clinic-documents/a', 'GET /clinic-documents/a'])
  })

  it('is repeated after a temporary error, an interrupted response, and another write of the same key', async () => {
    recorder.answer([503, error('SlowDown')], [500, ''], [200, 'one'])
    expect(Buffer.from(await files().read('a')).toString()).toBe('one')
    recorder.answer(response => void response.destroy(), (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setImmediate(() => response.destroy())
    }, [200, 'one'])
    expect(Buffer.from(await files().read('a')).toString()).toBe('one')
    recorder.answer(NOT_FOUND, [409, error('ConditionalRequestConflict')], 200)
    await files().writeOnce('a', bytes('one'))
    expect(recorder.calls).toHaveLength(9)
  })

  it('to list continues after the end of the previous response', async () => {
    const more
      = '<ListBucketResult><NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhb=</NextContinuationToken><CommonPrefixes><Prefix>a/b/</Prefix></CommonPrefixes></ListBucketResult>'
    recorder.answer(
      [200, more],
      [200, '<ListBucketResult><Contents><Key>a/c.pdf</Key><Size>1</Size></Contents></ListBucketResult>']
    )
    expect(await allOf(files().list('a'))).toEqual([['b'], ['c.pdf']])
    expect(asked()).toEqual([
      'GET /clinic-documents/?list-type=2&delimiter=%2F&prefix=a%2F',
      'GET /clinic-documents/?list-type=2&delimiter=%2F&prefix=a%2F&continuation-token=1ueGcxLPRx1Tr%2FXYExHnhb%3D'
    ])
    recorder.answer([403, error('AccessDenied')])
    await expect(allOf(files().list('a'))).rejects.toThrow(
      'The object store answered 403 AccessDenied to the list of a.'
    )
  })

  it('fails after three attempts', async () => {
    recorder.answer([503, error('SlowDown')])
    await expect(files().read('a')).rejects.toThrow('The object store answered 503 SlowDown to the read of a.')
    expect(recorder.calls).toHaveLength(3)
    recorder.answer(response => void response.destroy())
    await expect(files().read('a')).rejects.toThrow(/^The object store did not answer: (?:UND_ERR_SOCKET|ECONNRESET)$/)
    expect(recorder.calls).toHaveLength(6)
  })

  it.each([
    [403, 'AccessDenied'],
    [400, 'InvalidRequest'],
    [501, 'NotImplemented'],
    [301, 'PermanentRedirect'],
    [404, 'NoSuchBucket'],
    [404, 'Oops']
  ])('is not repeated for %i %s', async (status, code) => {
    recorder.answer([status, error(code)])
    const { message } = await files()
      .read('a')
      .then(
        () => {
          throw new Error('it was read')
        },
        (error: Error) => error
      )
    expect(message).toContain(`The object store answered ${status} ${code} to the read of a.`)
    expect(message).not.toMatch(/hunter2|AKIA|S3RVER/)
    expect(recorder.calls).toHaveLength(1)
  })

  it('fails after ten seconds without data', async () => {
    recorder.answer(() => {})
    const started = performance.now()
    await expect(files().read('a')).rejects.toThrow('The object store did not answer: no answer in time')
    expect(performance.now() - started).toBeGreaterThan(9900)
    expect(recorder.calls).toHaveLength(1)
  })
})

it.each([
  [{ endpoint: null, bucket: 'docs', prefix: '' }, 'https://docs.s3.eu-south-2.amazonaws.com'],
  [{ endpoint: null, bucket: 'docs', prefix: 'a/b' }, 'https://docs.s3.eu-south-2.amazonaws.com/a/b'],
  [
    { endpoint: null, bucket: 'docs.clinic.example', prefix: '' },
    'https://s3.eu-south-2.amazonaws.com/docs.clinic.example'
  ],
  [{ endpoint: 'http://minio:9000', bucket: 'docs', prefix: 'a' }, 'http://minio:9000/docs/a']
])('the bucket of %j is at %s', (store, address) => {
  expect(addressOf({ ...store, region: 'eu-south-2' })).toBe(address)
})
