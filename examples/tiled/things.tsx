<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="things" tilewidth="16" tileheight="16" tilecount="4" columns="4">
 <image source="things.png" width="64" height="16"/>
 <tile id="1" type="Tree"/>
</tileset>
