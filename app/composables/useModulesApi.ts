import { z } from 'zod'
import { Backup, Diagnosis, ModuleInfo, ModuleOperation, ModuleRow, Restarting, Scheduled } from '../../shared/modules.ts'

export type ModuleRow = z.infer<typeof ModuleRow>
export type ModuleInfo = z.infer<typeof ModuleInfo>
export type ModuleOperation = z.infer<typeof ModuleOperation>
export type Diagnosis = z.infer<typeof Diagnosis>
export type Scheduled = z.infer<typeof Scheduled>
export type Backup = z.infer<typeof Backup>
export type ModuleCommand = 'install' | 'upgrade' | 'uninstall' | 'orphan' | 'cancel'

const MODULES = '/api/v1/modules'

/** The modules of the instance. Commands only schedule; a restart does the work. */
export function useModulesApi() {
  const api = useApi()
  return {
    list: (signal?: AbortSignal) => api.get(MODULES, { signal, answer: z.array(ModuleRow) }),
    get: (name: string, signal?: AbortSignal) => api.get(`${MODULES}/${name}`, { signal, answer: ModuleInfo }),
    operations: (query: { module?: string, limit?: number }, signal?: AbortSignal) => api.get(`${MODULES}/-/operations`, { query, signal, answer: z.array(ModuleOperation) }),
    doctor: (signal?: AbortSignal) => api.get(`${MODULES}/-/doctor`, { signal, answer: Diagnosis }),
    backups: (signal?: AbortSignal) => api.get(`${MODULES}/-/backups`, { signal, answer: z.array(Backup) }),
    schedule: (name: string, command: ModuleCommand, options: { dry_run?: boolean, force?: boolean, keep_data?: boolean }) =>
      api.post(`${MODULES}/${name}/${command}`, { body: options, answer: Scheduled }),
    restart: () => api.post(`${MODULES}/-/restart`, { answer: Restarting })
  }
}
