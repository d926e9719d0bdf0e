import { importEndpoints } from '@svc/kit/import-endpoints'

export const imports = importEndpoints('patients', 'clinical.write')
