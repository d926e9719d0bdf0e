import { imports } from '#clinical/server/http/imports.ts'

export default imports.get
