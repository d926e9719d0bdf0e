import {
  defineEndpoint, defineModule, type Ctx, type EventPayload, type ModuleExports, type StepPayloads
} from '@svc/kit'
import type { BudgetContentAt, BudgetStatus, PatientPageAt, PatientPageSession } from '@svc/kit/modules/budget'
import type * as Catalog from '@svc/kit/modules/catalog'
import type * as Clinical from '@svc/kit/modules/clinical'
import type { ClinicReportAt } from '@svc/kit/modules/reports'
import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { createExports as billing } from '../../../layers/billing/server/exports.ts'
import type { createExports as budget } from '../../../layers/budget/server/exports.ts'
import type { createExports as catalog } from '../../../layers/catalog/server/exports.ts'
import type { createExports as clinical } from '../../../layers/clinical/server/exports.ts'
import type { pageAccess } from '../../../layers/budget/server/http/page-access.ts'
import type { steps as billingSteps } from '../../../layers/billing/server/steps.ts'
import type { steps as budgetSteps } from '../../../layers/budget/server/steps.ts'
import type { STATUSES } from '../../../layers/budget/shared/domain/budget-state.ts'
import type { Treatment, TreatmentQuery, TreatmentRequest } from '../../../layers/catalog/shared/contract.ts'
import type {
  Patient, PatientQuery, PatientRequest, Professional, ProfessionalQuery
} from '../../../layers/clinical/shared/contract.ts'

/** This code is only for the type checker: `tsc` fails if a type is wrong, but a run of this file cannot. */
const example = (_check: () => void) => {}

declare module '@svc/kit' {
  interface ModuleExports { notes: { count (clinic_id: string): Promise<number> } }
  interface EventPayloads { 'notes.written': { clinic_id: string, note_id: string } }
}

test('the kit has the types of what each bundled module exports', () => {
  expectTypeOf<ReturnType<typeof billing>>().toEqualTypeOf<ModuleExports['billing']>()
  expectTypeOf<ReturnType<typeof budget>>().toEqualTypeOf<ModuleExports['budget']>()
  expectTypeOf<ReturnType<typeof catalog>>().toEqualTypeOf<ModuleExports['catalog']>()
  expectTypeOf<ReturnType<typeof clinical>>().toEqualTypeOf<ModuleExports['clinical']>()
})

test('the kit has the shapes of the modules\' own schemas', () => {
  expectTypeOf<z.infer<typeof Patient>>().toEqualTypeOf<Clinical.Patient>()
  expectTypeOf<z.infer<typeof Professional>>().toEqualTypeOf<Clinical.Professional>()
  expectTypeOf<PatientRequest>().branded.toEqualTypeOf<Clinical.NewPatient>()
  expectTypeOf<PatientQuery>().branded.toEqualTypeOf<Clinical.PatientQuery>()
  expectTypeOf<ProfessionalQuery>().branded.toEqualTypeOf<Clinical.ProfessionalQuery>()
  expectTypeOf<z.infer<typeof Treatment>>().branded.toEqualTypeOf<Catalog.Treatment>()
  expectTypeOf<TreatmentRequest>().branded.toEqualTypeOf<Catalog.TreatmentFields>()
  expectTypeOf<TreatmentQuery>().branded.toEqualTypeOf<Catalog.TreatmentQuery>()
  expectTypeOf<typeof STATUSES[number]>().toEqualTypeOf<BudgetStatus>()
})

test('the kit has the payload of each step as its schema returns it', () => {
  type Payloads<Steps extends Record<string, { payload: z.ZodType }>>
    = { [Name in keyof Steps]: z.infer<Steps[Name]['payload']> }
  expectTypeOf<Payloads<typeof budgetSteps & typeof billingSteps>>().branded.toEqualTypeOf<StepPayloads>()
  expectTypeOf<Awaited<ReturnType<typeof pageAccess>>>().toEqualTypeOf<PatientPageSession>()
})

test('ctx.use knows the bundled modules, and those that a package declares', () => {
  example(() => {
    const ctx = {} as Ctx
    expectTypeOf(ctx.use('budget')).toEqualTypeOf<ModuleExports['budget']>()
    expectTypeOf(ctx.use('notes').count('')).toEqualTypeOf<Promise<number>>()
    expectTypeOf(ctx.use('other')).toBeAny()
  })
})

test('subscribers, guards, sections and clauses have types by their names', () => {
  defineModule({
    on: {
      'budget.accepted': async ({ payload }) => {
        expectTypeOf(payload).toEqualTypeOf<EventPayload<'budget.accepted'>>()
        expectTypeOf(payload.event_id).toBeString()
      },
      'notes.written': async ({ payload }) => void expectTypeOf(payload.note_id).toBeString(),
      'other.done': async ({ payload }) => void expectTypeOf(payload).toBeAny()
    },
    before: {
      'budget.accept': async (_ctx, { payload }) =>
        void expectTypeOf(payload).toEqualTypeOf<StepPayloads['budget.accept']>(),
      'billing.issue': async (_ctx, { payload }) => void expectTypeOf(payload.paid).toBeString()
    },
    public_sections: {
      'budget.patient': (_ctx, at) => {
        expectTypeOf(at).toEqualTypeOf<PatientPageAt>()
        return []
      }
    },
    staff_sections: {
      'reports.clinic': (_ctx, at) => {
        expectTypeOf(at).toEqualTypeOf<ClinicReportAt>()
        return []
      }
    },
    clauses: {
      'budget.content': (_ctx, at) => {
        expectTypeOf(at).toEqualTypeOf<BudgetContentAt>()
        return []
      }
    }
  })
  defineEndpoint({
    access: 'budget.link',
    handle: ({ request: { session } }) => expectTypeOf(session).toEqualTypeOf<PatientPageSession>()
  })
})

test('a known event is published with its own payload', () => {
  example(async () => {
    const ctx = {} as Ctx
    await ctx.events.publish(ctx.db, 'notes.written', { clinic_id: '', note_id: '' })
    // @ts-expect-error The payload has no note.
    await ctx.events.publish(ctx.db, 'notes.written', { clinic_id: '' })
    await ctx.events.publish(ctx.db, 'other.done', { clinic_id: '', anything: 1 })
  })
})
