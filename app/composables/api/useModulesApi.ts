import * as z from 'zod'
import * as contract from '../../../shared/modules.ts'

export type ModuleRow = z.infer<typeof contract.ModuleRow>
export type ModuleOperation = z.infer<typeof contract.ModuleOperation>
export type Diagnosis = z.infer<typeof contract.Diagnosis>
export type Scheduled = z.infer<typeof contract.Scheduled>
export type Backup = z.infer<typeof contract.Backup>
export type ModuleCommand = 'install' | 'upgrade' | 'uninstall' | 'orphan' | 'cancel'

const MODULES = '/api/v1/modules'

/** The modules of the instance. Commands are only scheduled; a restart carries them out. */
export function useModulesApi() {
  const api = useApi()
  return {
    list: (signal?: AbortSignal) => api.get(MODULES, { signal, answer: z.array(contract.ModuleRow) }),
    get: (name: string, signal?: AbortSignal) => api.get(`${MODULES}/${name}`, { signal, answer: contract.ModuleInfo }),
    operations: (query: { module?: string, limit?: number }, signal?: AbortSignal) =>
      api.get(`${MODULES}/-/operations`, { query, signal, answer: z.array(contract.ModuleOperation) }),
    doctor: (signal?: AbortSignal) => api.get(`${MODULES}/-/doctor`, { signal, answer: contract.Diagnosis }),
    backups: (signal?: AbortSignal) => api.get(`${MODULES}/-/backups`, { signal, answer: z.array(contract.Backup) }),
    schedule: (
      name: string,
      command: ModuleCommand,
      options: { dry_run?: boolean, force?: boolean, keep_data?: boolean }
    ) => api.post(`${MODULES}/${name}/${command}`, { body: options, answer: contract.Scheduled }),
    restart: () => api.post(`${MODULES}/-/restart`, { answer: contract.Restarting })
  }
}
