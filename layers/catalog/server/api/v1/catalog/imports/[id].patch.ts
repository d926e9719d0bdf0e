import { imports } from '#catalog/server/http/imports.ts'

export default imports.map
