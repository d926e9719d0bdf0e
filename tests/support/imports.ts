import type { Answer, Caller } from './caller.ts'

export const PATIENT_IMPORTS = '/api/v1/clinical/imports'
export const TREATMENT_IMPORTS = '/api/v1/catalog/imports'

/** Sends a file like a browser's form. */
export async function upload(
  staff: Caller,
  path: string,
  file: string | Uint8Array,
  mapping?: Record<string, unknown>,
  options: Record<string, string> = {}
): Promise<Answer> {
  const form = new FormData()
  form.set('file', new Blob([file as BlobPart], { type: 'text/csv' }), 'file.csv')
  if (mapping) form.set('mapping', JSON.stringify(mapping))
  for (const [name, text] of Object.entries(options)) form.set(name, text)
  const body = new Response(form)
  const type = body.headers.get('content-type')!
  return await staff.post(path, undefined, {
    raw: new Uint8Array(await body.arrayBuffer()),
    headers: { 'content-type': type }
  })
}

/** Uploads a file, and throws unless it is accepted. */
export async function anUpload(...given: Parameters<typeof upload>): Promise<any> {
  const { status, body } = await upload(...given)
  if (status !== 201) throw new Error(`the upload answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

/** Uploads and runs a file, and waits for the end. */
export async function importFile(...given: Parameters<typeof upload>): Promise<any> {
  const [staff, path] = given
  const { id } = await anUpload(...given)
  const { status } = await staff.post(`${path}/${id}/run`)
  if (status !== 202) throw new Error(`run answered ${status}`)
  return await endOf(staff, path, id)
}

export async function endOf(staff: Caller, path: string, id: string, seconds = 60): Promise<any> {
  const until = Date.now() + seconds * 1000
  for (;;) {
    const { data } = (await staff.get(`${path}/${id}`)).body
    if (data.state === 'done' || data.state === 'failed') return data
    if (Date.now() > until) throw new Error(`the import ${id} is still ${data.state}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
