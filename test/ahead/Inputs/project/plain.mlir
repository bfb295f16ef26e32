func.func @plain() attributes {tile.kernel} {
  return
}
