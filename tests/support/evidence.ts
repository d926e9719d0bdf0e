import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import { BUDGETS } from './builders.ts'
import type { Caller } from './caller.ts'

export type EvidenceFiles = Record<string, Buffer>

/** Of the evidence of an accepted budget: the ZIP, and its files by name. */
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
