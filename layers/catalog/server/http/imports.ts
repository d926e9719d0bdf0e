import { importEndpoints } from '@svc/kit/import-endpoints'

export const imports = importEndpoints('treatments', 'catalog.write', ['price_mode_changed'])
