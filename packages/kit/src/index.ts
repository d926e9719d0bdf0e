/**
 * The contract between the host and its modules, and the only part of the product that a module may import.
 * `npm run build:kit` compiles it into `dist`, since Node doesn't load TypeScript from node_modules.
 */
export type { AuditActor, AuditEntry } from './audit-entry.ts'
export type { Clinic, ClinicEffect, ClinicSettings, ClinicVeto, Retention } from './clinic.ts'
export type { Command, CommandResult } from './module/commands.ts'
export type { Certificate, Ctx, HookCtx, Logger, MailMessage } from './context.ts'
export type { AnyTx, Db, Json, Tx } from './database.ts'
export { defineEndpoint } from './endpoints.ts'
export type {
  Endpoint, EndpointHandler, EndpointInput, Limit, RawBody, RawEndpoint, Schema, StreamedBody
} from './endpoints.ts'
export type {
  CoreEvents, EventEnvelope, EventPayload, EventValues, Published, Subscriber, Subscribers
} from './events.ts'
export type {
  ImportAtHand, ImportColumn, ImportEncoding, ImportKind, ImportMatch, ImportOptions, ImportRemark, ImportRow,
  ImportSettings, ImportWrong
} from './import/kinds.ts'
export type {
  ImportCounts, ImportForm, ImportMapping, ImportOptionsChange, ImportRemarks, Imports, ImportView, SentImportMapping
} from './import/views.ts'
export { defineModule } from './module/module.ts'
export type { Caller, Finding, Gauge, ModuleDefinition } from './module/module.ts'
export type { Erasure, Held, Person, PersonData } from './module/people.ts'
// With a star, so that modules can extend these interfaces.
export type * from './modules/index.ts'
export { isProblem, problem } from './problems.ts'
export type { Problem, ProblemFields, ProblemTable } from './problems.ts'
export type * from './reach/channels.ts'
export type * from './reach/clauses.ts'
export type * from './reach/outgoing.ts'
export type * from './reach/sections.ts'
export type * from './reach/steps.ts'
export { page, reply } from './replies.ts'
export type { Cookie, Csv, Reply } from './replies.ts'
export type * from './requests.ts'
export type { ModuleSettings, SettingsDeclaration, SettingsOf } from './module/settings.ts'
export { etagOf, isId, matchesEtag } from './versions.ts'
