import { defineModule } from '@svc/kit'
import { acceptanceEndpoint } from './endpoints/acceptance.ts'

export default defineModule({
  endpoints: [acceptanceEndpoint]
})
