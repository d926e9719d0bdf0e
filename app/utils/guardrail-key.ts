/**
 * Guardrails answer in the sentences of the command line. The one for a module without tables names a tool of another
 * stack there; screens have a text of their own for it. Null for the others, which are shown as they are.
 */
export const guardrailKey = (guardrail: string) =>
  guardrail.includes('Alembic branch') ? 'staff.modules.why.no_tables' as const : null
