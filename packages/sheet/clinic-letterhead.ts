import type { Clinic, Ctx } from '@svc/kit'
import type { Letterhead } from './sheet.ts'

/** The clinic's data at the top of its documents. */
export async function clinicLetterhead(ctx: Ctx, clinic: Clinic): Promise<Letterhead> {
  const logo = clinic.logo_url ? await ctx.clinics.logo(clinic.id) : null
  return {
    name: clinic.name,
    address: clinic.address,
    phone: clinic.phone,
    email: clinic.email,
    accent_color: clinic.accent_color,
    logo
  }
}
