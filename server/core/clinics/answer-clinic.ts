import { reply, type Reply } from '@svc/kit'
import type { VersionedClinic } from './clinic.ts'

export const answerClinic = ({ clinic, etag }: VersionedClinic): Reply => reply({ data: clinic, headers: { etag } })
