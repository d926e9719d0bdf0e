import path from 'node:path'
import type { Ctx } from '@svc/kit'
import type { Config } from '../config.ts'
import { createFolder } from './folder.ts'
import { createS3 } from './s3.ts'

/** Documents: `<storage>/documents`, or the bucket that `SVC_STORAGE` names. */
export const createFiles = (config: Pick<Config, 'storage' | 'object_store'>): Ctx['files'] =>
  config.object_store ? createS3(config.object_store) : createFolder(path.join(config.storage, 'documents'))
