import { expect, test } from 'vitest'
import { isLocalLink } from '../../../app/utils/local-link.ts'

test.each([
  'http://localhost:3000/p/1', 'http://a.localhost/', 'http://127.1.2.3/', 'http://[::1]:80/', 'http://0.0.0.0/'
])(
  '%s opens on the service\'s own machine only', link => expect(isLocalLink(link)).toBe(true)
)
test.each(['https://clinic.example/p/1', 'http://192.168.1.4:3000/', 'https://localhost.example/'])(
  '%s can be opened elsewhere', link => expect(isLocalLink(link)).toBe(false)
)
