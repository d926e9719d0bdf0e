import type { Role } from './people.ts'

export const ROLES: Role[] = ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist']

/** The permissions of each role. Written out here, so that the manifests are compared with it. */
export const GRANTED: Record<string, Role[]> = {
  'budget.read': ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'],
  'budget.write': ['admin', 'dentist', 'receptionist'],
  'clinical.read': ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'],
  'clinical.write': ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'],
  'catalog.read': ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'],
  'catalog.write': ['admin', 'dentist'],
  'billing.read': ['admin', 'dentist', 'receptionist'],
  'billing.write': ['admin', 'receptionist'],
  'reports.read': ['admin', 'dentist'],
  'users.manage': ['admin'],
  'clinic.manage': ['admin'],
  'webhooks.manage': ['admin'],
  'privacy.manage': ['admin'],
  // The instance's, not a clinic's.
  'modules.manage': []
}

/** Every staff endpoint and its permission. `session` means every signed-in person. */
export const STAFF_ENDPOINTS: Record<string, string[]> = {
  'session': [
    'POST /api/v1/auth/logout',
    'GET /me',
    'GET /api/v1/me',
    'PATCH /api/v1/me',
    'POST /api/v1/auth/switch-clinic',
    'POST /api/v1/auth/password',
    'GET /api/v1/modules/-/active',
    'GET /api/v1/auth/factors',
    'POST /api/v1/auth/factors/totp',
    'POST /api/v1/auth/factors/totp/confirm',
    'POST /api/v1/auth/factors/recovery-codes',
    'DELETE /api/v1/auth/factors/{id}',
    'POST /api/v1/auth/factors/{id}/keep',
    'POST /api/v1/auth/confirm',
    'POST /api/v1/auth/confirm/options',
    'POST /api/v1/auth/enrolment',
    'POST /api/v1/auth/enrolment/open',
    'POST /api/v1/auth/passkeys/options',
    'POST /api/v1/auth/passkeys',
    'GET /api/v1/auth/screen',
    'GET /api/v1/auth/sessions',
    'DELETE /api/v1/auth/sessions',
    'DELETE /api/v1/auth/sessions/{id}',
    'GET /api/v1/auth/memberships',
    'POST /api/v1/auth/memberships/{id}',
    // The permission depends on the module.
    'GET /api/v1/clinic/settings',
    'GET /api/v1/clinic/settings/{module}',
    'PATCH /api/v1/clinic/settings/{module}'
  ],
  'users.manage': [
    'GET /api/v1/users',
    'POST /api/v1/users',
    'GET /api/v1/users/{id}',
    'PATCH /api/v1/users/{id}',
    'POST /api/v1/users/{id}/invitation',
    'POST /api/v1/users/{id}/reset-factor',
    'POST /api/v1/users/{id}/enrolment-link'
  ],
  'clinic.manage': [
    'GET /api/v1/tokens',
    'POST /api/v1/tokens',
    'DELETE /api/v1/tokens/{id}',
    'GET /api/v1/clinic',
    'PATCH /api/v1/clinic',
    'POST /api/v1/clinic/preview',
    'PUT /api/v1/clinic/logo',
    'DELETE /api/v1/clinic/logo',
    'GET /api/v1/clinic/mail',
    'POST /api/v1/clinic/mail/test',
    'GET /api/v1/audit',
    'GET /api/v1/audit/export.csv'
  ],
  'privacy.manage': ['GET /api/v1/clinic/persons/{id}/export', 'POST /api/v1/clinic/persons/{id}/erase'],
  'webhooks.manage': [
    'GET /api/v1/webhooks',
    'POST /api/v1/webhooks',
    'GET /api/v1/webhooks/{id}',
    'PATCH /api/v1/webhooks/{id}',
    'DELETE /api/v1/webhooks/{id}',
    'GET /api/v1/webhooks/{id}/deliveries',
    'POST /api/v1/webhooks/{id}/replay'
  ],
  'modules.manage': [
    'GET /api/v1/modules',
    'GET /api/v1/modules/{name}',
    'GET /api/v1/modules/-/status',
    'GET /api/v1/modules/-/operations',
    'GET /api/v1/modules/-/doctor',
    'GET /api/v1/modules/-/backups',
    'GET /api/v1/audit/instance',
    'POST /api/v1/modules/{name}/install',
    'POST /api/v1/modules/{name}/upgrade',
    'POST /api/v1/modules/{name}/uninstall',
    'POST /api/v1/modules/{name}/orphan',
    'POST /api/v1/modules/{name}/cancel',
    'POST /api/v1/modules/-/restart',
    'GET /metrics'
  ],
  'catalog.read': [
    'GET /api/v1/catalog/treatments',
    'GET /api/v1/catalog/treatments/export.csv',
    'GET /api/v1/catalog/treatments/{id}',
    'GET /api/v1/catalog/treatments/by-external-id/{system}/{id}',
    'GET /api/v1/catalog/categories',
    'GET /api/v1/catalog/sets',
    'GET /api/v1/catalog/sets/{id}'
  ],
  'catalog.write': [
    'POST /api/v1/catalog/treatments',
    'PATCH /api/v1/catalog/treatments/{id}',
    'PUT /api/v1/catalog/treatments/by-external-id/{system}/{id}',
    'POST /api/v1/catalog/imports',
    'GET /api/v1/catalog/imports/{id}',
    'PATCH /api/v1/catalog/imports/{id}',
    'POST /api/v1/catalog/imports/{id}/check',
    'POST /api/v1/catalog/imports/{id}/run',
    'GET /api/v1/catalog/imports/{id}/errors.csv',
    'POST /api/v1/catalog/sets',
    'PATCH /api/v1/catalog/sets/{id}',
    'DELETE /api/v1/catalog/sets/{id}'
  ],
  'clinical.read': [
    'GET /api/v1/clinical/patients',
    'GET /api/v1/clinical/patients/export.csv',
    'GET /api/v1/clinical/patients/{id}',
    'GET /api/v1/clinical/patients/by-external-id/{system}/{id}',
    'GET /api/v1/clinical/professionals',
    'GET /api/v1/clinical/professionals/{id}',
    'GET /api/v1/clinical/professionals/by-external-id/{system}/{id}'
  ],
  'clinical.write': [
    'POST /api/v1/clinical/patients',
    'PATCH /api/v1/clinical/patients/{id}',
    'PUT /api/v1/clinical/patients/by-external-id/{system}/{id}',
    'POST /api/v1/clinical/professionals',
    'PATCH /api/v1/clinical/professionals/{id}',
    'PUT /api/v1/clinical/professionals/by-external-id/{system}/{id}',
    'POST /api/v1/clinical/imports',
    'GET /api/v1/clinical/imports/{id}',
    'PATCH /api/v1/clinical/imports/{id}',
    'POST /api/v1/clinical/imports/{id}/check',
    'POST /api/v1/clinical/imports/{id}/run',
    'GET /api/v1/clinical/imports/{id}/errors.csv'
  ],
  'budget.read': [
    'GET /api/v1/budget/channels',
    'GET /api/v1/budget/budgets',
    'GET /api/v1/budget/budgets/export.csv',
    'GET /api/v1/budget/attention',
    'GET /api/v1/budget/templates',
    'GET /api/v1/budget/templates/{id}',
    'GET /api/v1/budget/budgets/{id}',
    'GET /api/v1/budget/budgets/by-external-id/{system}/{id}',
    'GET /api/v1/budget/budgets/{id}/preview',
    'POST /api/v1/budget/budgets/{id}/price',
    'GET /api/v1/budget/budgets/{id}/access-log',
    'GET /api/v1/budget/budgets/{id}/signature',
    'GET /api/v1/budget/budgets/{id}/pdf',
    'GET /api/v1/budget/budgets/{id}/pdf/signed',
    'GET /api/v1/budget/budgets/{id}/evidence',
    'GET /api/v1/budget/budgets/{id}/messages'
  ],
  'budget.write': [
    'POST /api/v1/budget/budgets',
    'POST /api/v1/budget/templates',
    'PATCH /api/v1/budget/templates/{id}',
    'DELETE /api/v1/budget/templates/{id}',
    'POST /api/v1/budget/templates/{id}/budgets',
    'PATCH /api/v1/budget/budgets/{id}',
    'PUT /api/v1/budget/budgets/by-external-id/{system}/{id}',
    'DELETE /api/v1/budget/budgets/{id}',
    'POST /api/v1/budget/budgets/{id}/cancel',
    'POST /api/v1/budget/budgets/{id}/revise',
    'POST /api/v1/budget/budgets/{id}/duplicate',
    'POST /api/v1/budget/budgets/{id}/send',
    'POST /api/v1/budget/budgets/{id}/resend',
    'POST /api/v1/budget/budgets/{id}/set-public-code',
    'POST /api/v1/budget/budgets/{id}/unlock-public',
    'POST /api/v1/budget/budgets/{id}/hand-over',
    'POST /api/v1/budget/budgets/{id}/accept-in-clinic',
    'POST /api/v1/budget/budgets/{id}/reject-in-clinic',
    'POST /api/v1/budget/budgets/{id}/withdraw',
    'POST /api/v1/budget/budgets/{id}/messages',
    'POST /api/v1/budget/budgets/{id}/messages/read'
  ],
  'billing.read': [
    'GET /api/v1/billing/invoices',
    'GET /api/v1/billing/invoices/export.csv',
    'GET /api/v1/billing/payments/export.csv',
    'GET /api/v1/billing/pro-formas/export.csv',
    'GET /api/v1/billing/invoices/{id}',
    'GET /api/v1/billing/invoices/{id}/pdf',
    'GET /api/v1/billing/advances',
    'GET /api/v1/billing/advances/export.csv',
    'GET /api/v1/billing/advances/{id}',
    'GET /api/v1/billing/advances/{id}/pdf'
  ],
  'billing.write': [
    'POST /api/v1/billing/invoices/{id}/issue',
    'POST /api/v1/billing/invoices/{id}/payments',
    'POST /api/v1/billing/invoices/{id}/payments/{payment_id}/reverse',
    'POST /api/v1/billing/invoices/{id}/cancel',
    'POST /api/v1/billing/invoices/{id}/credit',
    'POST /api/v1/billing/advances',
    'POST /api/v1/billing/advances/{id}/reverse'
  ],
  'reports.read': [
    'GET /api/v1/reports/acceptance',
    'GET /api/v1/reports/acceptance/export.csv',
    'GET /api/v1/reports/sections'
  ]
}
