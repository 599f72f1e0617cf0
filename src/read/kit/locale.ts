/**
 * What the C library says of a file that is not there (`strerror(ENOENT)`, from glibc's po files), in the languages that shells of pasted
 * terminals were in. One source for all readers of such lines.
 */
const notFoundTexts = [
  'No such file or directory',
  '没有那个文件或目录',
  '没有此文件或目录',
  '沒有此一檔案或目錄',
  'そのようなファイルやディレクトリはありません',
  '그런 파일이나 디렉터리가 없습니다',
  'Datei oder Verzeichnis nicht gefunden',
  'Aucun fichier ou dossier de ce (?:type|nom)',
  'No existe el (?:fichero|archivo) o (?:el )?directorio',
  'File o directory non esistente',
  'Arquivo ou diretório (?:inexistente|não encontrado)',
  'Нет такого файла или каталога',
];

export const notFound = new RegExp(`(?:${notFoundTexts.join('|')})`);
