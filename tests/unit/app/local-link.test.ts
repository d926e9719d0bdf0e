import { expect, test } from 'vitest'
import { isLocalLink } from '../../../app/utils/local-link.ts'

test.each([
  'http://localhost:3000/p/1', 'http://a.localhost/', 'http://127.1.2.3/', 'http://[::1]:80/', 'http://0.0.0.0/'
])(
  'the link %s is known to open on the service\'s machine only', link => expect(isLocalLink(link)).toBe(true)
)
test.each(['https://clinic.example/p/1', 'http://192.168.1.4:3000/', 'https://localhost.example/'])(
  'the link %s is known to open on other machines', link => expect(isLocalLink(link)).toBe(false)
)
