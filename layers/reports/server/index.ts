import { defineModule } from '@svc/kit'

export default defineModule({
})
