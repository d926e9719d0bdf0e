import type { Clinic, Ctx } from '@svc/kit'
import type { Letterhead, Picture } from '../pdf/document.ts'

// The contract has no way to a logo's bytes yet, only its address, and a renderer must not reach for the network.
type WithLogos = Ctx['clinics'] & { logo?: (id: string) => Promise<Picture | null> }

/** What of the clinic stands at the top of its documents. */
export async function clinicLetterhead(ctx: Ctx, clinic: Clinic): Promise<Letterhead> {
  const logo = clinic.logo_url ? await (ctx.clinics as WithLogos).logo?.(clinic.id) : null
  return { name: clinic.name, address: clinic.address, phone: clinic.phone, email: clinic.email, accent_color: clinic.accent_color, logo: logo ?? null }
}
