import { defineModule } from '@svc/kit'
import { problems } from './problems.ts'
import { settings } from './settings.ts'

export default defineModule({ problems, settings })
