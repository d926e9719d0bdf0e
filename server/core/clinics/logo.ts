import { problem, type Finding } from '@svc/kit'
import type { Sql } from 'postgres'
import { fits, readPicture, type Picture, type Refused } from './images.ts'

export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const
export const LOGO_BYTES = 512_000
/** The size for documents at 360 dots per inch; pages show it smaller. */
const LOGO_BOX = { width: 600, height: 200 }

/** The logo as it is stored. Throws `validation_failed`, with the `reason` for the screens. */
export async function prepareLogo(upload: Picture): Promise<Picture> {
  const read = await readPicture(upload, LOGO_BOX)
  if ('bytes' in read) return read
  const { reason, message } = read
  throw problem('validation_failed', { detail: message, errors: [{ pointer: '', message }], reason })
}

/** A stored logo for documents. One from before the limits may be too large, or unusable. */
export const drawableLogo = async (stored: Picture): Promise<Picture | Refused> =>
  await fits(stored, LOGO_BOX) ? stored : await readPicture(stored, LOGO_BOX)

/** For the doctor. */
export async function checkLogos(sql: Sql): Promise<Finding[]> {
  const findings: Finding[] = []
  const clinics = sql<(Picture & { name: string })[]>`
    select name, logo as bytes, logo_type as type from core_clinic where logo is not null order by name, id`
  for await (const [clinic] of clinics.cursor(1)) {
    if (!clinic) continue
    const drawable = await drawableLogo(clinic)
    if ('bytes' in drawable) continue
    findings.push({
      code: 'logo', object: clinic.name, advice: true,
      message: `Documents are drawn without the logo. ${drawable.message}`, fix: 'Upload the logo again.'
    })
  }
  return findings
}
