// page: the files of the browser's page, which the build embeds
//
//   page.h  files by the path of a URL
