/**
 * The translation key for a guardrail's message, or null for messages that are shown as they are. Guardrails answer
 * with the command line's sentences. The one for a module without tables names a tool of another stack, so screens have
 * their own text for it.
 */
export const guardrailKey = (guardrail: string) =>
  guardrail.includes('Alembic branch') ? 'staff.modules.why.no_tables' as const : null
