import { expect, test } from 'vitest'
import { versionOf } from '../../../cli/modules/list.ts'

test.each([
  ['1.0.0', '1.0.0', '1.0.0'],
  ['1.0.0', '1.1.0', '1.0.0 (1.1.0 on disk)'],
  [null, '1.1.0', '1.1.0'],
  ['1.0.0', null, '1.0.0'],
  [null, null, '-']
])('a module that is installed in version %s, with %s on disk, is listed as %s', (version, disk_version, text) =>
  expect(versionOf({ version, disk_version })).toBe(text))
