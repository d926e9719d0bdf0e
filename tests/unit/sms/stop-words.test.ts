import { expect, test } from 'vitest'
import { isStop } from '../../../layers/sms/shared/domain/stop-words.ts'

test.each(['STOP', 'stop', ' Stop. ', 'Baja', 'ARRÊT', 'arret', 'Stopp!', 'SAIR', 'إيقاف', 'opt-out', 'No más'])(
  '“%s” ends the channel', text => expect(isStop(text)).toBe(true))

test.each(['', 'Please don’t stop', 'Stop by tomorrow', 'Gracias', 'OK'])(
  '“%s” ends nothing', text => expect(isStop(text)).toBe(false))
