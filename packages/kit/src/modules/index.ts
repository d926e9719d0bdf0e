/**
 * What the bundled modules offer to others, by name: the only place of the kit that knows their names. The types of one
 * module are in `@svc/kit/modules/<name>`. Another module adds what it offers, so that its dependants are typed too:
 *
 *     declare module '@svc/kit' { interface ModuleExports { recall: Recall } }
 */
import type { CoreEvents } from '../events.ts'
import type { Billing, BillingSteps } from './billing.ts'
import type {
  BudgetContentAt, BudgetEvents, Budgets, BudgetSteps, PatientPageAt, PatientPageSession
} from './budget.ts'
import type { Catalog } from './catalog.ts'
import type { Clinical } from './clinical.ts'
import type { PaymentEvents } from './payments.ts'
import type { ClinicReportAt } from './reports.ts'

/** What `ctx.use` returns, by module. */
export interface ModuleExports { billing: Billing, budget: Budgets, catalog: Catalog, clinical: Clinical }

/** Payloads as they are published, by event. */
export interface EventPayloads extends CoreEvents, BudgetEvents, PaymentEvents {}

/** Payloads of decisions that other modules may refuse, by step. */
export interface StepPayloads extends BillingSteps, BudgetSteps {}

/** What `public_sections` get as `at`, by page. */
export interface SectionPages { 'budget.patient': PatientPageAt }

/** What `staff_sections` get as `at`, by page. */
export interface StaffSectionPages { 'reports.clinic': ClinicReportAt }

/** What `clauses` get as `at`, by document. */
export interface ClausePlaces { 'budget.content': BudgetContentAt }

/** What endpoints get as `request.session`, by named access. */
export interface AccessSessions { 'budget.link': PatientPageSession }
