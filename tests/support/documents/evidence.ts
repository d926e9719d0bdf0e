import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import { BUDGETS } from '../builders.ts'
import type { Caller } from '../caller.ts'

export type EvidenceFiles = Record<string, Buffer>

/** The evidence of an accepted budget: the ZIP, and its files by name. */
export async function evidenceOf(staff: Caller, id: string): Promise<{ zip: Buffer, files: EvidenceFiles }> {
  const { status, bytes, body } = await staff.get(`${BUDGETS}/${id}/evidence`)
  expect(status, JSON.stringify(body)).toBe(200)
  return { zip: bytes, files: unpack(bytes) }
}

export const unpack = (zip: Uint8Array): EvidenceFiles =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes)]))

export function writeFiles(folder: string, files: Record<string, Uint8Array>): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
}

/** The files of a page `check.html`, by name. */
export const copiesIn = (page: Buffer): Map<string, Buffer> =>
  new Map(
    Object.entries(JSON.parse(COPIES.exec(page.toString())![1]!)).map(([name, base64]) => [
      name,
      Buffer.from(base64 as string, 'base64')
    ])
  )

/** The page with other copies. */
export const withCopies = (page: Buffer, copies: Map<string, Buffer>): string =>
  page
    .toString()
    .replace(COPIES, (whole, text: string) =>
      whole.replace(
        text,
        JSON.stringify(Object.fromEntries([...copies].map(([name, bytes]) => [name, bytes.toString('base64')])))
      )
    )

const COPIES = /id="copies">(.*?)<\/script>/
