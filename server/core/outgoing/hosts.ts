import type { Host } from '../host.ts'
import type { Manifest } from '../manifest.ts'
import { declaredBy } from '../settings/declaration.ts'
import { openValues } from '../settings/open-values.ts'
import { readStoredOf } from '../settings/stored-settings.ts'

type Parts = Pick<Host, 'db' | 'log' | 'registry' | 'secrets'>
type CallingModule = Pick<Manifest, 'name'> & Partial<Pick<Manifest, 'outgoing'>>

/** Whether the manifest's `outgoing` allows the host, which is spelled as URL's parser writes it. */
export const createMayCall = (host: Parts, { name, outgoing = [] }: CallingModule) => async (hostname: string) =>
  (outgoing === 'settings' ? await hostsInSettings(host, name) : outgoing).includes(hostname)

/** In all clinics, secrets among them: the address of a provider's webhook is often one. */
async function hostsInSettings(host: Parts, name: string): Promise<string[]> {
  const running = host.registry.get(name)
  const declared = running ? declaredBy(running) : null
  if (!declared) return []
  const rows = await readStoredOf(host.db, name)
  return [declared.defaults, ...rows.map(row => openValues(host, declared, row.clinic_id, row))].flatMap(hostsIn)
}

/** Of every text in it that is a web address, or a host with or without a port. */
export function hostsIn(value: unknown): string[] {
  if (typeof value === 'string') return hostIn(value.trim())
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hostsIn) : []
}

function hostIn(text: string): string[] {
  const address = /^https?:\/\//i.test(text) ? text : /^[^\s/@?#]+$/.test(text) ? `https://${text}` : ''
  return URL.canParse(address) ? [new URL(address).hostname] : []
}
