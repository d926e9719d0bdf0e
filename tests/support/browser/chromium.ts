import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../modules/official.ts'

/**
 * The path of a real Chromium: `CHROMIUM_PATH`, otherwise the one inside the npm package, unpacked on first use. Two
 * processes must not unpack it at the same time.
 */
export async function unpackChromium(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  // These two make the package unpack the libraries that a minimal machine lacks.
  Object.assign(process.env, { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  const { default: packaged } = await import('@sparticuz/chromium')
  const path = await packaged.executablePath()
  // Its own font has no Arabic letters.
  for (const face of ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'])
    cpSync(join(root, 'node_modules/dejavu-fonts-ttf/ttf', face), join(tmpdir(), 'fonts', face), { force: false })
  process.env.LD_LIBRARY_PATH = [join(tmpdir(), 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return path
}
