import { readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { stringify } from 'csv-stringify/sync'
import type { ImportOptions } from '@svc/kit'
import { describe, expect, it } from 'vitest'
import { columns as fields } from '../../../layers/clinical/server/services/import/columns.ts'
import { piecesOf } from '../../../server/core/imports/file/encoding.ts'
import { examine as examineFile } from '../../../server/core/imports/file/examine-file.ts'
import { readRecords } from '../../../server/core/imports/file/read-rows.ts'

const given = (name: string) => readFile(new URL(`../../fixtures/imports/reported/${name}`, import.meta.url))
const examine = (bytes: Uint8Array, options: ImportOptions = {}, locale = 'es') =>
  examineFile(() => piecesOf(bytes), { fields, options, locale })

/** The form of a file and its records. */
async function read(file: Uint8Array | string, options: ImportOptions = {}, locale = 'es') {
  const bytes = Buffer.from(file)
  const examined = await examine(bytes, options, locale)
  const rows: string[][] = []
  for await (const { cells } of readRecords(piecesOf(bytes), examined.form)) rows.push(cells)
  return { ...examined, cells: rows }
}

describe('a bad byte', () => {
  it('does not affect lines in UTF-8, and the other lines are read by their letters', async () => {
    const { form, cells } = await read(await given('stray-byte.csv'))
    expect(form).toMatchObject({ encoding: 'utf-8', other: 'windows-1252', other_lines: [5] })
    expect(cells.map(row => row.slice(1).join(' '))).toEqual([
      'José Machacado Muñoz 0', 'José Machacado Muñoz 1', 'José Machacado Muñoz 2', 'Pep Café'
    ])
  })

  it('that cuts off the last letter loses only this letter', async () => {
    const { form, cells } = await read(await given('truncated.csv'))
    expect([form.encoding, form.other_lines]).toEqual(['utf-8', []])
    expect(cells).toEqual([['José', 'Cortado Muñoz'], ['Pep', 'Cortado \uFFFD']])
    const wide = await read(Buffer.from('\uFEFFNombre;Apellidos\nAna;Peña', 'utf16le').subarray(0, -1))
    expect(wide.cells).toEqual([['Ana', 'Peñ\uFFFD']])
  })

  it('does not affect other lines at any place, with any line ending', async () => {
    for (const [at, end] of [[0, '\n'], [700, '\r\n'], [4000, '\r']] as const) {
      const lines: Uint8Array[] = Array.from({ length: 5000 }, (_, n) => Buffer.from(`Íñigo${n};Peña;Año nuevo, «niño»${end}`))
      lines[at] = iconv.encode(`Iñaki;Cañada;º${end}`, 'windows-1252')
      const { form, cells, rows } = await read(Buffer.concat([Buffer.from(`Nombre;Apellidos;Notas${end}`), ...lines]))
      expect([form.other_lines, rows]).toEqual([[at + 2], 5000])
      expect(cells[at]).toEqual(['Iñaki', 'Cañada', 'º'])
      expect(cells.filter(([name], n) => n !== at && name !== `Íñigo${n}`)).toEqual([])
    }
  })
})

describe('a file with one byte per letter', () => {
  it.each([
    ['macroman.csv', 'macintosh', [['Ángel', 'Núñez Peña', 'revisión'], ['José', 'Muñoz', 'ok']]],
    ['cp850.csv', 'cp850', [['Ángel', 'Núñez Peña', 'revisión'], ['José', 'Muñoz', 'ok']]],
    ['cp1256-arabic.csv', 'windows-1256', [['ليلى', 'الخوري']]],
    ['iso8859-2.csv', 'windows-1250', [['Łukasz', 'Żak']]]
  ])('such as %s is recognised by its letters', async (name, encoding, cells) => {
    const found = await read(await given(name))
    expect([found.form.encoding, found.cells]).toEqual([encoding, cells])
    expect(found.samples).toEqual(expect.arrayContaining([cells[0]![0]]))
  })

  const TEXTS: Record<string, string> = {
    es: 'Begoña Núñez Ibáñez;Ángela Güell;revisión, 2º molar;¿mañana?;JOSÉ MUÑOZ;ÁNGEL PEÑA;Íñigo',
    fr: 'Hélène Lefèvre;François Gérôme;d’accord;déjà réglé à Noël;ANDRÉ BÉRANGER;Maïté;Zoé;garçon;coût',
    de: 'Jürgen Größer;Käthe Müller;Straße;Zähne schön;GÜNTHER BÄR;Öztürk;Weiß;Krüger;über',
    pt: 'João Conceição;Inês Simões;não há;Antónia Magalhães;JOSÉ GONÇALVES;Luís;avó;três;ação',
    pl: 'Łukasz Żak;Świętosława Dąbrowska;Grażyna Wójcik;źle;Małgorzata Ćwik;KRÓL;Zięba',
    ar: 'ليلى الخوري;محمد عبد الله;فاطمة الزهراء;العنوان;مراجعة بعد أسبوع;يوسف حدّاد'
  }
  it.each([
    ['es', 'windows-1252'], ['es', 'macintosh'], ['es', 'cp850'],
    ['fr', 'windows-1252'], ['fr', 'macintosh'], ['fr', 'cp850'],
    ['de', 'windows-1252'], ['de', 'macintosh'], ['de', 'cp850'],
    ['pt', 'windows-1252'], ['pt', 'macintosh'], ['pt', 'cp850'],
    ['pl', 'windows-1250'], ['pl', 'iso-8859-2'], ['pl', 'cp852'],
    ['ar', 'windows-1256'], ['ar', 'iso-8859-6']
  ])('with %s letters in %s is read unchanged, in clinics of any language', async (language, encoding) => {
    const text = TEXTS[language]!.replaceAll(encoding === 'windows-1252' || encoding === 'windows-1256' ? '' : '’', '\'')
    const sent = encoding.startsWith('w') ? TEXTS[language]! : text
    const bytes = iconv.encode(`Nombre;Apellidos\n${sent.split(';').map(cell => `${cell};x`).join('\n')}\n`, encoding)
    for (const locale of new Set([language, 'es', 'en'])) {
      const { cells, form } = await read(bytes, {}, locale)
      expect(cells.map(([cell]) => cell), `${form.encoding} in ${locale}`).toEqual(sent.split(';'))
    }
  })

  it('is read in the encoding that the user chooses', async () => {
    const { form, cells } = await read(await given('macroman.csv'), { encoding: 'windows-1252' })
    expect([form.encoding, cells[1]![0]]).toEqual(['windows-1252', 'JosŽ'])
  })
})

describe('the header line', () => {
  it('is found below titles', async () => {
    const { form, columns, cells } = await read(await given('title-lines.csv'))
    expect(form).toMatchObject({ header_line: 4, passed_over: [1, 2] })
    expect(columns).toEqual(['Nr', 'Vorname', 'Nachname', 'Email'])
    expect(cells).toEqual([['1', 'Kurt', 'Vorspann', 'k@x.example']])
  })

  it.each([
    [
      'as wide as the rows',
      'Listado de pacientes;;\nFecha:;26/11/2026;\nNombre;Apellidos;Correo\nAna;Gil;\n',
      3,
      [1, 2]
    ],
    ['made of unknown names', 'Export\n\nalpha;beta;gamma\nx;y;z\nx;y;z\n', 3, [1]],
    ['followed by dashes', 'Nombre;Apellidos;Correo\n------;---------;------\nAna;Gil;\n', 1, [2]],
    ['the only line above the rows', 'alpha;beta\nx;y\n', 1, []]
  ])('is found when it is %s', async (_what, file, header_line, passed_over) => {
    expect((await read(file)).form).toMatchObject({ header_line, passed_over })
  })

  it.each([
    ['with email addresses', 'Ana;Gil;ana@x.example\nBerta;Puig;b@x.example\n', 3],
    ['with numbers', '17;Ana;Gil\n18;Berta;Puig\n', 3],
    ['with dates below a title', 'Pacientes\nAna;Gil;03/04/1985\nBerta;Puig;\n', 3]
  ])('is missing in a file %s, which has numbered columns', async (_what, file, width) => {
    const { form, columns, rows } = await read(file)
    expect([form.header_line, rows]).toEqual([0, 2])
    expect(columns).toEqual(['#1', '#2', '#3'].slice(0, width))
  })

  it('can be chosen', async () => {
    const file = 'a;b;c\nNombre;Apellidos;Correo\n1;2;3\n'
    expect((await read(file, { header_line: 1 })).cells).toHaveLength(2)
    expect((await read(file, { header_line: 0 })).cells).toHaveLength(3)
    await expect(examine(Buffer.from(file), { header_line: 9 })).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

describe('a line with a total', () => {
  it.each([
    'Total;2;;', 'TOTAL PACIENTES: 2;;;', 'Gesamt;;;2', 'Anzahl: 2', '(2 rows affected)', '2 pacientes', 'المجموع;2;;'
  ])('is skipped: %s', async (total) => {
    const { form, rows, preview } = await read(`Nr;Nombre;Apellidos;Correo\n1;Ana;Gil;\n2;Eva;Roca;\n\n${total}\n`)
    expect([form.passed_over, rows, preview.length]).toEqual([[5], 2, 2])
  })

  it('is kept when it is a record with such a name', async () => {
    const { rows } = await read('Nombre;Apellidos;Correo\nTotal;Puig;t@x.example\n')
    expect(rows).toBe(1)
    expect((await read('Código;Nombre;Precio\nA;Corona;1\nTOTAL;Prótesis total;450\n')).rows).toBe(2)
  })
})

describe('the layout of a file is recognised', () => {
  it.each([
    ['quoted-sep.csv', ['Nombre', 'Apellidos'], ['Pep', 'Separa']],
    ['pipe.csv', ['Nombre', 'Apellidos', 'Email'], ['Pep', 'Tubo', 'p@x.example']],
    ['mysql-backslash.csv', ['Nombre', 'Apellidos', 'Notas'], ['Pep', 'Barras', 'dijo "hola", y se fue']],
    ['filemaker-vt.csv', ['Nombre', 'Apellidos', 'Notas'], ['Pep', 'Verticales', 'línea 1\nlínea 2']],
    ['excel-text.csv', ['Nr', 'Nombre', 'Apellidos', 'Notas'], ['TAG0123', 'Ana', 'Formulas', 'ok']],
    ['excel-text-treatments.csv', ['Código', 'Nombre', 'Precio', 'IVA'], ['FX01', 'Limpieza', '60,00', '21']]
  ])('in %s', async (name, columns, row) => {
    expect(await read(await given(name))).toMatchObject({ columns, cells: [row] })
  })

  it('with formulas that contain a text, quoted or not, in any cell', async () => {
    const file = '="Nombre";"=""Apellidos""";Notas\n"=""00123""";="a ""b"" c";=1+1\n'
    expect(await read(file)).toMatchObject({ columns: ['Nombre', 'Apellidos', 'Notas'], cells: [['00123', 'a "b" c', '=1+1']] })
  })

  it('with MySQL\'s NULL as an empty cell', async () => {
    const { cells } = await read('"Nombre","Apellidos","Notas"\n"Ana","la \\"jefa\\" y más",\\N\n')
    expect(cells).toEqual([['Ana', 'la "jefa" y más', '']])
  })

  it('with quotation marks for inches or after a path, which do not end a cell', async () => {
    const { cells } = await read('Nombre;Apellidos;Notas\nAna;Gil;tubo de 2" y 3"\nEva;Roca;"C:\\fotos\\"\n')
    expect(cells).toEqual([['Ana', 'Gil', 'tubo de 2" y 3"'], ['Eva', 'Roca', 'C:\\fotos\\']])
  })

  it('with semicolons between cells even if every row has a decimal comma', async () => {
    expect((await read('Corona;450,00\nFunda;80,00\n')).cells[0]).toEqual(['Corona', '450,00'])
  })

  it('unless a quotation mark is not closed, which is reported with its line', async () => {
    const never = examine(await given('unclosed-quote.csv'))
    await expect(never).rejects.toMatchObject({ code: 'file_unreadable', fields: { reason: 'quotes', line: 502 } })
    const later = 'Nombre;Apellidos;Notas\n\nAna;Gil;"dos\nlíneas"\nPep;Roca;"apodo\nPau;Puig;\nEva;Vidal;"nota"\nIvo;Sanz;\n'
    await expect(examine(Buffer.from(later))).rejects.toMatchObject({ fields: { reason: 'quotes', line: 5 } })
    const wide = `a;b\n1;2\n${'"'.repeat(300_001)}`
    await expect(examine(Buffer.from(wide))).rejects.toMatchObject({ fields: { reason: 'quotes', line: 3 } })
  })
})

describe('an unusual file', () => {
  const MB = 1_000_000
  it.each([
    ['one line of 20 MB', Buffer.alloc(20 * MB, 'a'), 'quotes'],
    ['one line of 20 MB that is not UTF-8', Buffer.alloc(20 * MB, 0xE9), 'quotes'],
    ['20 MB of quotation marks', Buffer.alloc(20 * MB, '"'), 'quotes'],
    ['20 MB of line ends', Buffer.alloc(20 * MB, '\n'), 'empty'],
    ['20 MB of separators', Buffer.alloc(20 * MB, ';'), 'not_csv'],
    ['only a byte order mark', Buffer.from('\uFEFF'), 'empty'],
    ['only blanks', Buffer.from('  \n ;; \n'), 'empty'],
    ['a zero byte inside', Buffer.from('Nombre;Apellidos\nAna;Gi\0l\n'), 'not_csv'],
    ['501 columns', Buffer.from(`${'a;'.repeat(500)}b\n1;2\n`), 'not_csv']
  ])('is refused: %s', async (_what, bytes, reason) => {
    await expect(examine(bytes)).rejects.toMatchObject({ code: 'file_unreadable', fields: { reason } })
  })

  it('with two byte order marks, mixed line endings and 500 columns is read', async () => {
    expect((await read('\uFEFFNombre;Apellidos\r\nAna;Gil\rEva;Roca\nIvo;Sanz')).rows).toBe(3)
    const head = Array.from({ length: 500 }, (_, n) => `c${n}`)
    expect((await read(stringify([head, head.map(() => 'x')]))).columns).toHaveLength(500)
  })
})
