import { describe, expect, test } from 'vitest'
import { toClinicChange, toClinicForm, toClinicRequest } from '../../../app/utils/clinic-form.ts'
import { ClinicChange, type Clinic } from '../../../shared/clinic.ts'

const clinic: Clinic = {
  id: '8c0c6f0e-6d0b-4b3a-9a53-0d8f7a1c2b11',
  name: 'Clínica Sol',
  address: null,
  phone: null,
  email: null,
  logo_url: null,
  accent_color: null,
  country: null,
  legal_name: null,
  tax_number: null,
  registration: null,
  insurer: null,
  currency: 'EUR',
  currency_locked: false,
  time_zone: 'Europe/Madrid',
  locale: 'es',
  prices_include_tax: false,
  ip_policy: 'full',
  second_factor: 'none',
  notify_decisions: true,
  retention: { access_log_months: 120, audit_months: 24 },
  first_steps_hidden: false
}

describe('the form of the clinic\'s settings', () => {
  test('sends no changes and is valid when nothing was changed', () => {
    expect(toClinicChange(toClinicForm(clinic), toClinicForm(clinic))).toEqual({})
    expect(ClinicChange.safeParse(toClinicRequest(toClinicForm(clinic))).success).toBe(true)
  })

  test('keeps logs forever only when that option is chosen, not when the field is empty', () => {
    const form = { ...toClinicForm(clinic), retention: { access_log_months: null, audit_months: 24 } }
    expect(toClinicChange(form, toClinicForm(clinic))).toEqual({
      retention: { access_log_months: null, audit_months: 24 }
    })
  })

  test.each([
    ['retention.access_log_months', { retention: { access_log_months: undefined, audit_months: 24 } }],
    ['retention.audit_months', { retention: { access_log_months: 120, audit_months: undefined } }]
  ])('reports an emptied number field as missing and does not save the old value: %s', (path, emptied) => {
    const found = ClinicChange.safeParse(toClinicRequest({ ...toClinicForm(clinic), ...emptied } as never))
    expect(found.error?.issues.map(issue => issue.path.join('.'))).toEqual([path])
  })
})
