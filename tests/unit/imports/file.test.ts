import fc from 'fast-check'
import { isProblem, type ImportOptions } from '@svc/kit'
import { escapeCell } from '@svc/kit/csv'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, it } from 'vitest'
import { columns as treatmentColumns } from '../../../layers/catalog/server/services/import/columns.ts'
import { columns as patientColumns } from '../../../layers/clinical/server/services/import/columns.ts'
import { cellsOf, guessPlaces, nameColumns, toMapping } from '../../../server/core/imports/file/columns.ts'
import { guessDelimiter } from '../../../server/core/imports/file/delimiter.ts'
import { piecesOf } from '../../../server/core/imports/file/encoding.ts'
import { examine as examineFile } from '../../../server/core/imports/file/examine-file.ts'
import { readRows } from '../../../server/core/imports/file/read-rows.ts'

const examine = (bytes: Uint8Array, options: ImportOptions = {}) =>
  examineFile(() => piecesOf(bytes), { fields: patientColumns, options, locale: 'es' })

const encoders: Record<string, (text: string) => Buffer> = {
  'utf-8': text => Buffer.from(text),
  'utf-8 with a mark': text => Buffer.from(`\uFEFF${text}`),
  'utf-16le': text => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16be': text => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'windows-1252': text => Buffer.from(text, 'latin1')
}

describe('UTF-16 without a byte order mark is recognised by its content', () => {
  const texts = {
    arabic: ['الاسم;الهاتف', 'محمد علي;٠٦١٢٣٤٥٦٧٨', 'ليلى حسن;٠٦١٢٣٤٥٦٧٩'],
    greek: ['Όνομα;Επώνυμο', 'Ελένη;Παπαδοπούλου', 'Γιώργος;Παππάς'],
    chinese: ['姓名;电话', '王小明;六一二', '李雷;六一三']
  }
  for (const [script, lines] of Object.entries(texts)) {
    const bytes = () => Buffer.from(lines.join('\n'), 'utf16le')
    it.each([['utf-16le', bytes()], ['utf-16be', bytes().swap16()]])(`with ${script} in %s`, async (encoding, file) => {
      expect(await examine(file)).toMatchObject({ form: { encoding }, columns: lines[0]!.split(';'), rows: 2 })
    })
  }
})

describe('a file in UTF-8, UTF-16 or Windows-1252, with commas, semicolons or tabs,', () => {
  for (const [encoding, encode] of Object.entries(encoders)) {
    it.each([',', ';', '\t'])(`is read: ${encoding} with %j between cells`, async (delimiter) => {
      const rows = [['Número', 'Prénom', 'a;b,c'], ['1', 'Zoë', 'x'], ['2', 'Ana', '"é"\nü']]
      const examined = await examine(encode(stringify(rows, { delimiter })))
      expect(examined).toMatchObject({ form: { delimiter }, columns: rows[0], preview: rows.slice(1), rows: 2 })
    })
  }

  it.each([
    ['an empty content', Buffer.alloc(0), 'empty'],
    ['a header without rows', Buffer.from('a,b\n\n'), 'empty'],
    ['a workbook', Buffer.from('PK\u0003\u0004'), 'not_csv'],
    ['an image', Buffer.from([0x89, 0x50, 0, 0, 0, 0x0D, 0x49, 0]), 'not_csv'],
    ['an unclosed quotation mark', Buffer.from('a,b\n"1,2'), 'quotes'],
    ['more than 100,000 rows', Buffer.from(`a\n${'1\n'.repeat(100_001)}`), 'too_many']
  ])('is refused: %s', async (_what, bytes, reason) => {
    await expect(examine(bytes)).rejects.toMatchObject({ code: 'file_unreadable', fields: { reason } })
  })

  it('of any bytes is read or refused', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const answer = await examine(bytes).catch((error: unknown) => error)
      expect(isProblem(answer) || (answer as { rows: number }).rows > 0).toBe(true)
    }))
  })
})

it('the cells of any file are read back unchanged', async () => {
  const cell = fc.string().map(text => text.replace(/[\r\n\uFEFF]/g, ' '))
  const table = fc.array(fc.tuple(cell, cell, cell.map(text => `${text}.`)), { minLength: 1, maxLength: 20 })
  await fc.assert(fc.asyncProperty(table, fc.constantFrom(',', ';', '\t'), async (rows, delimiter) => {
    const bytes = Buffer.from(stringify(rows, { delimiter, quoted: true }))
    const read: string[][] = []
    for await (const { cells } of readRows(piecesOf(bytes), { encoding: 'utf-8', delimiter: delimiter as ',' })) read.push(cells)
    expect(read).toEqual(rows)
  }))
})

it('the apostrophe that an export adds is removed, and one that a person typed is kept', () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const plain = text.trim()
    expect(cellsOf([escapeCell(plain)], { a: 0 }).a ?? '').toBe(plain)
  }))
  expect(cellsOf(['\'t Hooft'], { name: 0 })).toEqual({ name: '\'t Hooft' })
})

describe('the columns are guessed from headers in six languages', () => {
  it.each([
    ['en', 'Patient ID,First name,Surname,E-mail,Mobile,DOB,Language,Comments'],
    ['es', 'Nº paciente,Nombre,Apellidos,Correo electrónico,Móvil,Fecha de nacimiento,Idioma,Observaciones'],
    ['fr', 'N° patient,Prénom,Nom,Courriel,Téléphone,Date de naissance,Langue,Remarques'],
    ['de', 'Patientennummer,Vorname,Nachname,E-Mail,Handy,Geburtsdatum,Sprache,Bemerkungen'],
    ['pt', 'N.º de utente,Nome,Apelido,E-mail,Telemóvel,Data de nascimento,Língua,Observações'],
    ['ar', 'رقم المريض,الاسم الأول,اسم العائلة,البريد الإلكتروني,الجوال,تاريخ الميلاد,اللغة,ملاحظات']
  ])('for patients: %s', (_language, header) => {
    const places = guessPlaces(nameColumns(header.split(',')), patientColumns)
    expect(places).toEqual({
      external_id: 0, first_name: 1, last_name: 2, email: 3, phone: 4, date_of_birth: 5, locale: 6, notes: 7
    })
  })

  it.each([
    ['en', 'Code,Name,Description,Category,Price,VAT,Active'],
    ['es', 'Código,Nombre,Descripción,Categoría,Precio,IVA,Activo'],
    ['fr', 'Code,Nom,Description,Catégorie,Prix,TVA,Actif'],
    ['de', 'Code,Bezeichnung,Beschreibung,Kategorie,Preis,MwSt.,Aktiv'],
    ['pt', 'Código,Nome,Descrição,Categoria,Preço,IVA,Ativo'],
    ['ar', 'الرمز,الاسم,الوصف,الفئة,السعر,الضريبة,نشط']
  ])('for treatments: %s', (_language, header) => {
    const places = guessPlaces(nameColumns(header.split(',')), treatmentColumns)
    expect(places).toEqual({ code: 0, name: 1, description: 2, category: 3, unit_price: 4, vat: 5, active: 6 })
  })

  it('and distinguished when headers are empty or repeated', () => {
    expect(nameColumns(['a', '', 'a', ' a '])).toEqual(['a', '#2', 'a (2)', 'a (3)'])
  })
})

it('a second column with the same header is offered, and used where the first is empty', () => {
  const columns = nameColumns(['Código', 'Nombre', 'Precio', 'Precio'])
  const places = guessPlaces(columns, treatmentColumns)
  expect(toMapping(places, columns)).toEqual({ code: 'Código', name: 'Nombre', unit_price: ['Precio', 'Precio (2)'] })
  expect(cellsOf(['A', 'Corona', '', '450,00'], places, treatmentColumns).unit_price).toBe('450,00')
  const phones = nameColumns(['Nombre', 'Teléfono', 'Teléfono'])
  expect(toMapping(guessPlaces(phones, patientColumns), phones).phone).toEqual(['Teléfono', 'Teléfono (2)'])
})

it('the delimiter is the one that gives rows with the same number of cells', () => {
  expect(guessDelimiter('a;b\n1,5;2,5\n3,5;4,5')).toBe(';')
  expect(guessDelimiter('"a;b;c",d\n1,2')).toBe(',')
  expect(guessDelimiter('one column\nno delimiter')).toBe(',')
})
