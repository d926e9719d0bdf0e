export type ModuleState = 'uninstalled' | 'installed' | 'to_install' | 'to_upgrade' | 'to_remove'
export type Operation = 'install' | 'upgrade' | 'uninstall'
export type StepName = 'backup' | 'migrate' | 'seed' | 'lifecycle' | 'delete_records' | 'downgrade' | 'finalize'
export type StepStatus = 'started' | 'completed' | 'failed' | 'skipped'

/** What a restart does with a row, and the state that the row gets. */
export const OPERATIONS: Record<Operation, { pending: ModuleState, done: ModuleState, steps: readonly StepName[] }> = {
  install: { pending: 'to_install', done: 'installed', steps: ['migrate', 'seed', 'lifecycle', 'finalize'] },
  upgrade: { pending: 'to_upgrade', done: 'installed', steps: ['migrate', 'seed', 'lifecycle', 'finalize'] },
  uninstall: {
    pending: 'to_remove',
    done: 'uninstalled',
    steps: ['backup', 'lifecycle', 'delete_records', 'downgrade', 'finalize']
  }
}

/** With `keep_data`, tables and records remain for a later install to adopt. */
const KEEP_DATA_STEPS: readonly StepName[] = ['lifecycle', 'finalize']

export function operationOf(state: ModuleState): Operation | null {
  for (const [operation, { pending }] of Object.entries(OPERATIONS)) {
    if (pending === state) return operation as Operation
  }
  return null
}

export function stepsOf(
  operation: Operation,
  { keep_data = false }: { keep_data?: boolean } = {}
): readonly StepName[] {
  return operation === 'uninstall' && keep_data ? KEEP_DATA_STEPS : OPERATIONS[operation].steps
}
